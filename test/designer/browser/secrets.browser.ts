/** Secrets are picked by their names, and names that the runtime does not have are marked; no value reaches the page. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessible.ts";
import { passTime } from "./support/clock.ts";
import { logIn, openStage } from "./support/stage.ts";

const value = "never-seen-by-anybody";
const calls = `- route:
    id: calls
    from:
      uri: webhook
      steps:
        - to:
            id: call
            uri: http://127.0.0.1:1/orders
            parameters:
              oauth2ClientId: me
        - setBody: { id: body, simple: "x" }
        - setHeader: { id: bad, name: X, constant: "{{secret:GONE}}" } # {{secret:COMMENT}}
`;
const secrets = { "calls/CRM_KEY": value, "_shared/MAIL": value, "other/FOREIGN": value, "_connections/DB": value };
const stage = await openStage({
  files: { "calls.yaml": calls, "again.yaml": calls.replaceAll("calls", "again") },
  runtime: { secrets },
  hasLogin: true,
});
after(() => stage.close());

async function openFlow(id: string, role: "viewer" | "editor" | "operator" = "editor", options = {}): Promise<Page> {
  const page = await stage.open(`#/flows/${id}`, options);
  await logIn(page, role);
  await page.locator(".canvas .node").first().waitFor();
  return page;
}

function offered(page: Page): Promise<readonly string[]> {
  return page.locator("[role=listbox] [role=option] code").allTextContents();
}

test("a field for a secret offers those of the flow, by keyboard, and writes the name", async () => {
  const page = await openFlow("calls");
  const answers: string[] = [];
  page.on(
    "response",
    (response) =>
      void response
        .text()
        .then((text) => answers.push(text))
        .catch(() => {}),
  );
  await page.locator('[data-id="call"]').click();
  await page.getByPlaceholder("Find an option").fill("oauth2ClientSecret");
  const field = page.getByLabel("Oauth2 client secret", { exact: true });
  await field.focus();
  await page.locator("[role=listbox] [role=option]").first().waitFor();
  assert.deepEqual(await offered(page), ["secret:CRM_KEY", "secret:MAIL"]);
  await assertAccessible(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  await page.getByText("is saved").waitFor();
  assert.match(await stage.read("calls.yaml"), /oauth2ClientSecret: "?\{\{secret:CRM_KEY\}\}"?/);
  assert.equal(await field.inputValue(), "{{secret:CRM_KEY}}");
  assert.ok(!answers.join("\n").includes(value) && !(await page.content()).includes(value));
  stage.assertNoErrors(page);
});

test("in an expression names are offered behind two braces, by mouse too", async () => {
  const page = await openFlow("calls");
  await page.locator('[data-id="body"]').click();
  const field = page.locator(".expression textarea");
  await field.fill("key {{ma");
  await page.locator("[role=option]", { hasText: "secret:MAIL" }).click();
  assert.equal(await field.inputValue(), "key {{secret:MAIL}}");
  await page.locator('[data-id="body"]', { hasText: "key {{secret:MAIL}}" }).waitFor();
  stage.assertNoErrors(page);
});

test("a name that the runtime does not have is marked in the form, on the step and at the line, until it is there", async () => {
  const page = await openFlow("again", "editor", { hasClock: true });
  await page.locator('.node.error[data-id="bad"]').click();
  await page.locator(".field-error", { hasText: "has no secret 'GONE'" }).waitFor();
  await page.locator(".form-note.error", { hasText: "SECRETS_DIR/again/GONE" }).waitFor();
  assert.equal(await page.getByText("COMMENT").count(), 0);
  await page.getByRole("tab", { name: "YAML" }).click();
  await page.locator(".cm-lintRange-error", { hasText: "secret:GONE" }).waitFor();
  await assertAccessible(page);
  await mkdir(join(stage.runtime.secretsDirectory, "again"));
  await writeFile(join(stage.runtime.secretsDirectory, "again", "GONE"), value);
  // The page asks for the names every 15 seconds.
  await passTime(page, 15_000);
  await page.locator('.node.error[data-id="bad"]').waitFor({ state: "detached" });
  stage.assertNoErrors(page);
});

test("editors get the names of a flow, operators those of connections, and viewers neither", async () => {
  const statuses: Record<string, readonly number[]> = {};
  for (const role of ["viewer", "editor", "operator"] as const) {
    const page = await openFlow("calls", role);
    statuses[role] = await page.evaluate(async () => {
      const get = async (path: string): Promise<number> =>
        (await fetch(`/targets/default/_api/${path}`, { headers: { "X-Designer": "1" } })).status;
      return [await get("flows/calls/secrets"), await get("connection-secrets")];
    });
    await page.context().close();
  }
  assert.deepEqual(statuses, { viewer: [403, 403], editor: [200, 403], operator: [200, 200] });
});
