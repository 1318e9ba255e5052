/** What one may not do is not offered, or says which role it needs. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import type { Role } from "../../../designer/shared/wire.ts";
import { assertAccessible } from "./support/accessible.ts";
import { logIn, openStage } from "./support/stage.ts";

function flow(id: string, message: string): string {
  return `- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - setBody: { id: say, constant: ${message} }
`;
}

const mapped = `- route:
    id: mapped
    from:
      uri: webhook
      steps:
        - valueMapping: { stepId: translate, id: codes }
`;

const stage = await openStage({
  hasLogin: true,
  files: {
    "open.yaml": flow("open", "two"),
    "guarded.yaml": flow("guarded", "two"),
    "guarded.flow.yaml": "policy:\n  public: true\n",
    "mapped.yaml": mapped,
    "documents/value-mappings/codes.json": '{"entries": {"a": "two"}}',
  },
});
after(() => stage.close());
for (const id of ["open", "guarded"]) await stage.runtime.put(id, flow(id, "one"));

async function openAs(role: Role, hash: string): Promise<Page> {
  const page = await stage.open(hash);
  await logIn(page, role);
  return page;
}

async function menuOf(page: Page, name: string): Promise<string[]> {
  await page.getByRole("button", { name: `Actions of ${name}`, exact: true }).click();
  const items = await page.getByRole("menuitem").filter({ visible: true }).allTextContents();
  await page.keyboard.press("Escape");
  return items;
}

test("a viewer reads, and is offered nothing that changes anything", async () => {
  const page = await openAs("viewer", "#/flows");
  await page.locator(".list-name").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "New flow" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Import" }).count(), 0);
  assert.deepEqual(await menuOf(page, "open"), ["Open", "Export"]);
  await page.getByRole("link", { name: "open" }).click();
  await page.locator(".canvas .node").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Deploy" }).count(), 0);
  await page.getByRole("tab", { name: "Revisions" }).click();
  await page.getByRole("button", { name: /^Revision 1 / }).click();
  await page.locator(".diff-line").first().waitFor();
  assert.equal(await page.locator(".revision-actions button").count(), 0);
  await assertAccessible(page);
  stage.assertNoErrors(page, /401/);
});

test("an editor deploys, but no access policy that the runtime does not have, and does not roll back", async () => {
  const page = await openAs("editor", "#/flows");
  await page.locator(".list-name").first().waitFor();
  assert.deepEqual(await menuOf(page, "open"), ["Open", "Deploy", "Duplicate", "Export", "Delete"]);
  await page.getByRole("link", { name: "open" }).click();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.locator(".dialog").getByRole("button", { name: "Deploy", exact: true }).click();
  await page.getByText("open is deployed to Runtime, revision 2.").waitFor();
  await page.getByRole("tab", { name: "Revisions" }).click();
  await page.getByText("by editor, from here").waitFor();
  await page.getByRole("button", { name: /^Revision 1 / }).click();
  await page.getByText("To roll back, your role has to be operator.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Roll back to it" }).count(), 0);
  await page.goto(`${stage.designer.url}/#/flows/guarded`);
  await page.getByRole("heading", { name: "guarded" }).waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("to deploy one your role has to be operator").waitFor();
  await page.locator(".diff-line.added", { hasText: '"public": true' }).waitFor();
  assert.equal(await page.locator(".dialog").getByRole("button", { name: "Deploy", exact: true }).isDisabled(), true);
  await assertAccessible(page);
  stage.assertNoErrors(page, /401/);
});

test("an operator deploys the policy; from then on an editor deploys the flow, which keeps it", async () => {
  const page = await openAs("operator", "#/flows/guarded");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.locator(".dialog").getByRole("button", { name: "Deploy", exact: true }).click();
  await page.getByText("guarded is deployed to Runtime, revision 2.").waitFor();
  assert.equal((await stage.runtime.api("/auth/guarded")).status, 200);
  await stage.write("guarded.yaml", flow("guarded", "three"));
  const other = await openAs("editor", "#/flows/guarded");
  await other.locator('.node[data-id="say"]', { hasText: "three" }).waitFor();
  await other.getByRole("button", { name: "Deploy" }).click();
  await other.locator(".dialog").getByRole("button", { name: "Deploy", exact: true }).click();
  await other.getByText("guarded is deployed to Runtime, revision 3.").waitFor();
  assert.deepEqual(await (await stage.runtime.api("/auth/guarded")).json(), { public: true });
  stage.assertNoErrors(page, /401/);
  stage.assertNoErrors(other, /401/);
});

test("a viewer looks at a flow's mapping, and an editor deploys the flow with it", async () => {
  const install = { method: "PUT", headers: { "Content-Type": "application/json" }, body: '{"entries": {"a": "one"}}' };
  assert.ok((await stage.runtime.api("/value-mappings/codes", install)).ok);
  assert.equal((await stage.runtime.put("mapped", mapped)).status, 201);
  const page = await openAs("viewer", "#/flows/mapped?panel=mappings");
  await page.getByRole("link", { name: "Open codes beside the flow" }).click();
  await page.locator(".grid-cell", { hasText: "two" }).waitFor();
  for (const name of ["Save", "Install", "Deploy"])
    assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
  await page.getByRole("button", { name: "Back to the flow" }).click();
  await page.getByRole("link", { name: "Open codes beside the flow" }).waitFor();
  await assertAccessible(page);
  const other = await openAs("editor", "#/flows/mapped");
  await other.getByRole("button", { name: "Deploy" }).click();
  await other.locator(".diff-line.added", { hasText: "two" }).waitFor();
  await other.locator(".dialog").getByRole("button", { name: "Deploy", exact: true }).click();
  await other.getByText("mapped is deployed to Runtime, revision 1, with value mapping codes, revision 2.").waitFor();
  assert.equal(await (await stage.runtime.post("/api/mapped", "a", { "Content-Type": "text/plain" })).text(), "two");
  stage.assertNoErrors(page, /401/);
  stage.assertNoErrors(other, /401/);
});
