/** The mappings of a flow are edited beside it, and travel with its deployment: all of it is installed, or nothing. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { MappingEntry, MappingFile } from "../../../designer/shared/wire.ts";
import { assertAccessible } from "./support/accessible.ts";
import { keyboard, mouse } from "./support/hands.ts";
import { openStage } from "./support/stage.ts";

/** A flow that translates its message, and says what came of it. */
function flow(id: string, mapping: string): string {
  return `- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - valueMapping: { stepId: translate, id: ${mapping}, from: crm, to: erp }
        - setBody: { id: say, simple: "one \${body}" }
`;
}

const table = (word: string): string => `${JSON.stringify({ rows: [{ crm: "New", erp: word }] }, null, 2)}\n`;
const hands = { mouse, keyboard };
const alone = ["refused", "raced", "disk", "several-a", "several-b"];
const ids = [...Object.keys(hands), ...alone, "both"];

const stage = await openStage({
  files: {
    ...Object.fromEntries(
      ids.map((id) => [`${id}.yaml`, flow(id, id.startsWith("several") ? "shared" : `${id}-codes`)]),
    ),
    "missing.yaml": flow("missing", "not-there"),
    "order.yaml":
      "- route:\n    id: order\n    from:\n      uri: webhook\n      steps:\n        - messageMapping: order\n",
  },
});
after(() => stage.close());
const json = { "Content-Type": "application/json" };

async function install(id: string, text: string, kind = "value"): Promise<void> {
  const answer = await stage.runtime.api(`/${kind}-mappings/${id}`, { method: "PUT", headers: json, body: text });
  assert.ok(answer.ok, await answer.text());
}

async function installed(id: string, kind = "value"): Promise<string> {
  return (await stage.runtime.api(`/${kind}-mappings/${id}`)).text();
}

/** Writes a file of the workspace, over what is there. */
async function keep(id: string, text: string, kind = "value"): Promise<MappingFile> {
  const path = `/designer/mappings/${kind}/${id}`;
  const list = await stage.designer.json<MappingEntry[]>("GET", "/designer/mappings");
  const before = list.find((one) => one.kind === kind && one.id === id);
  const over: Record<string, string> = before === undefined ? { "If-None-Match": "*" } : { "If-Match": before.etag };
  return stage.designer.json("PUT", path, { text }, over);
}

async function answer(id: string): Promise<string> {
  return (await stage.runtime.post(`/api/${id}`, "New", { "Content-Type": "text/plain" })).text();
}

/** The runtime and the workspace have the same of the flow and of its mapping, which was installed from here. */
async function deployed(id: string, mapping = `${id}-codes`): Promise<void> {
  await install(mapping, table("ZONE"));
  const { hash } = await keep(mapping, table("ZONE"));
  const record = { target: "default", hash, revision: 1 };
  await stage.designer.json("POST", `/designer/mappings/value/${mapping}/deployed`, record);
  const put = await stage.runtime.put(id, flow(id, mapping));
  assert.ok(put.ok, await put.text());
  assert.equal(await answer(id), "one ZONE");
}

function state(page: Page, text: string): Promise<void> {
  return page.locator(".editor-bar .chip", { hasText: new RegExp(`^${text}$`) }).waitFor();
}

function item(page: Page, id: string): Locator {
  return page.locator(".flow-mappings li", { hasText: id });
}

for (const [name, handOf] of Object.entries(hands))
  test(`with the ${name}: a flow is opened, its mapping is edited beside it, both are deployed, and the flow answers with the new mapping`, async () => {
    await deployed(name);
    assert.ok((await stage.runtime.put("both", flow("both", `${name}-codes`))).ok);
    const page = await stage.open(`#/flows/${name}`);
    const hand = handOf(page);
    // The screens are the same for both hands: they are looked at once.
    const look = async (): Promise<void> => void (handOf === mouse && (await assertAccessible(page)));
    await state(page, "Deployed");
    // What is not saved of the flow is there again when one comes back.
    await hand.selectStep("say");
    await hand.showPanel("Form");
    await hand.write(page.locator("#editor-form .expression :is(input, textarea)").first(), "two ${body}");
    await hand.showPanel("Mappings");
    await item(page, `${name}-codes`).getByText("Installed").waitFor();
    await look();
    await hand.press(page.getByRole("link", { name: `Open ${name}-codes beside the flow` }));
    await page.locator(".grid-cell", { hasText: "ZONE" }).waitFor();
    await page.locator('.canvas .node[data-id="translate"]').waitFor();
    await look();
    if (name === "mouse") await page.locator(".grid-cell", { hasText: "ZONE" }).click();
    else {
      await page.keyboard.press("Tab");
      for (
        let count = 0;
        !(await page.locator(".grid").evaluate((grid) => grid === document.activeElement));
        count += 1
      ) {
        assert.ok(count < 60, "Tab does not come to the table");
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.type("ZTWO");
    await page.keyboard.press("Enter");
    await page.locator(".grid-cell", { hasText: "ZTWO" }).waitFor();
    await page.keyboard.press("Escape");
    await hand.press(page.getByRole("button", { name: "Back to the flow" }));
    await item(page, `${name}-codes`).getByText("not saved").waitFor();
    await item(page, `${name}-codes`).getByText("Modified").waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Open ") === true);
    await page.locator('.node[data-id="say"]', { hasText: "two" }).waitFor();
    await hand.deploy(async (dialog) => {
      await dialog.locator(".diff-line.added", { hasText: "two ${body}" }).waitFor();
      await dialog.locator(".diff-line.removed", { hasText: "ZONE" }).waitFor();
      await dialog.locator(".diff-line.added", { hasText: "ZTWO" }).waitFor();
      await dialog.getByText("It is used by both, too").waitFor();
      await dialog.getByText("Your changes are saved first.").waitFor();
      await look();
    });
    await page
      .getByText(`${name} is deployed to Runtime, revision 2, with value mapping ${name}-codes, revision 2.`)
      .waitFor();
    assert.equal(await answer(name), "two ZTWO");
    assert.equal(await answer("both"), "one ZTWO");
    assert.match(await stage.read(`documents/value-mappings/${name}-codes.json`), /ZTWO/);
    assert.equal(await stage.read(`documents/value-mappings/${name}-codes.json`), await installed(`${name}-codes`));
    await state(page, "Deployed");
    await item(page, `${name}-codes`).getByText("Installed").waitFor();
    stage.assertNoErrors(page);
  });

test("a flow that only its mapping differs of is Modified, also in the list, and a deployment brings that alone", async () => {
  await deployed("both");
  const page = await stage.open("#/flows");
  const row = page.locator("tr", { hasText: "both" });
  await row.locator(".chip", { hasText: "Deployed" }).waitFor();
  await keep("both-codes", table("ZTWO"));
  await row.locator(".chip", { hasText: "Modified" }).waitFor();
  await page.getByRole("button", { name: "Actions of both" }).click();
  await page.getByRole("menuitem", { name: "Deploy" }).click();
  const dialog = page.getByRole("dialog", { name: /^Deploy / });
  await dialog.locator(".diff-line.added", { hasText: "ZTWO" }).waitFor();
  await dialog.getByRole("button", { name: "Deploy" }).click();
  await page
    .getByText(/both is deployed to Runtime, revision \d+, with value mapping both-codes, revision 2\./)
    .waitFor();
  await row.locator(".chip", { hasText: "Deployed" }).waitFor();
  assert.equal(await answer("both"), "one ZTWO");
  stage.assertNoErrors(page);
});

test("a flow that is refused keeps its mapping back, and a mapping that fails its own tests keeps the flow back", async () => {
  await deployed("refused");
  await keep("refused-codes", table("ZTWO"));
  await stage.write("refused.yaml", flow("refused", "refused-codes").replace("id: refused\n", "id: wanted\n"));
  const page = await stage.open("#/flows/refused");
  await page.locator(".canvas .node").first().waitFor();
  await page.locator(".editor-bar").getByRole("button", { name: "Deploy" }).click();
  const dialog = page.getByRole("dialog", { name: /^Deploy / });
  await dialog.locator(".diff-line.added", { hasText: "ZTWO" }).waitFor();
  // Another flow takes the route's name between the comparison and the deployment.
  assert.equal((await stage.runtime.put("thief", flow("wanted", "refused-codes"))).status, 201);
  await dialog.getByRole("button", { name: "Deploy" }).click();
  await dialog.getByText("It was not deployed").waitFor();
  await dialog.getByText("Its mappings were not installed either").waitFor();
  await assertAccessible(page);
  assert.equal(await answer("refused"), "one ZONE");
  assert.equal(await installed("refused-codes"), table("ZONE"));
  assert.equal((await stage.runtime.api("/flows/thief", { method: "DELETE" })).status, 200);
  await page.keyboard.press("Escape");
  await state(page, "Failed");
  const failing = { ...JSON.parse(table("ZTWO")), tests: [{ in: "New", out: "other" }] };
  await keep("refused-codes", JSON.stringify(failing));
  await page.locator(".editor-bar").getByRole("button", { name: "Deploy" }).click();
  await dialog.getByText("It would be refused").waitFor();
  await dialog.locator(".problem-list", { hasText: "the test failed" }).waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Deploy" }).isDisabled(), true);
  stage.assertNoErrors(page, /409|422/);
});

test("a mapping that somebody else has installed meanwhile is not overwritten: nothing is changed, and the difference is theirs", async () => {
  await deployed("raced");
  await keep("raced-codes", table("MINE"));
  const page = await stage.open("#/flows/raced");
  await state(page, "Modified");
  await page.locator(".editor-bar").getByRole("button", { name: "Deploy" }).click();
  const dialog = page.getByRole("dialog", { name: /^Deploy / });
  await dialog.locator(".diff-line.added", { hasText: "MINE" }).waitFor();
  await install("raced-codes", table("THEIRS"));
  await dialog.getByRole("button", { name: "Deploy" }).click();
  await dialog.getByText("Somebody else has deployed meanwhile").waitFor();
  await dialog.locator(".diff-line.removed", { hasText: "THEIRS" }).waitFor();
  assert.equal(await answer("raced"), "one THEIRS");
  await dialog.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("with value mapping raced-codes, revision 3.").waitFor();
  assert.equal(await answer("raced"), "one MINE");
  stage.assertNoErrors(page, /412/);
});

test("a file that another program has changed is never written over unseen", async () => {
  await deployed("disk");
  const page = await stage.open("#/value-mappings/disk-codes");
  await page.locator(".grid").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("MINE");
  await page.keyboard.press("Enter");
  await stage.write("documents/value-mappings/disk-codes.json", table("THEIRS"));
  await page.getByText("changed on disk").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".diff-line.removed", { hasText: "THEIRS" }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Take the disk's version" }).click();
  await page.locator(".grid-cell", { hasText: "THEIRS" }).waitFor();
  await page.locator(".grid").focus();
  await page.keyboard.press("Control+z");
  await page.locator(".grid-cell", { hasText: "MINE" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("disk-codes is saved.").waitFor();
  assert.match(await stage.read("documents/value-mappings/disk-codes.json"), /MINE/);
  assert.equal(await installed("disk-codes"), table("ZONE"), "what is saved is not installed yet");
  await page.locator(".mapping-bar .chip", { hasText: "Modified" }).waitFor();
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByRole("dialog").getByText("It is used by disk").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Install" }).click();
  await page.getByText("disk-codes is installed, revision 2.").waitFor();
  await page.locator(".mapping-bar .chip", { hasText: "Installed" }).waitFor();
  assert.equal(await answer("disk"), "one MINE");
  stage.assertNoErrors(page, /412/);
});

test("a mapping that nobody has is made from the flow, as a draft, and comes with its first deployment; one of the runtime is brought in", async () => {
  const page = await stage.open("#/flows/missing?panel=mappings");
  await item(page, "not-there").getByText("Missing").waitFor();
  await page.getByRole("button", { name: "Make not-there" }).click();
  await page.locator(".grid-title", { hasText: "erp" }).waitFor();
  await page.locator(".mapping-bar .chip", { hasText: "Draft" }).waitFor();
  await page.locator(".grid").focus();
  await page.keyboard.type("New");
  await page.keyboard.press("Tab");
  await page.keyboard.type("MADE");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  await page.getByText("not-there is saved.").waitFor();
  await page.goBack();
  await item(page, "not-there").getByText("Saved").waitFor();
  await page.locator(".editor-bar").getByRole("button", { name: "Deploy" }).click();
  const dialog = page.getByRole("dialog", { name: /^Deploy / });
  await dialog.getByText("Runtime does not have the value mapping not-there yet.").waitFor();
  assert.equal(await dialog.getByText("there is no value mapping").count(), 0, "it is not missing: it comes along");
  await dialog.getByRole("button", { name: "Deploy" }).click();
  await page
    .getByText("missing is deployed to Runtime, revision 1, with value mapping not-there, revision 1.")
    .waitFor();
  assert.equal(await answer("missing"), "one MADE");

  await install("codes", '{"entries": {"a": "b"}}');
  await install("order", '{"rules": [{"target": "/x", "expr": "$vmap(\'codes\', \'from\', \'to\', a)"}]}', "message");
  await page.goto(`${stage.designer.url}/#/flows/order?panel=mappings`);
  await item(page, "codes").getByText("Only on the runtime").waitFor();
  await page.getByRole("button", { name: "Bring order into the workspace" }).click();
  await item(page, "order").getByText("Installed").waitFor();
  await page.getByRole("link", { name: "Open order beside the flow" }).click();
  await page.locator(".rule-row").first().waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page);
});

test("several flows bring the mapping that they share once", async () => {
  await install("shared", table("ZONE"));
  await keep("shared", table("ZTWO"));
  const page = await stage.open("#/flows");
  await page.locator("tr", { hasText: "several-a" }).locator(".chip", { hasText: "Saved" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("several-");
  await page.locator("tr", { hasText: "missing" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Deploy several" }).click();
  const one = (id: string): Locator => page.locator(".several > li", { hasText: id });
  await one("several-a").getByText("new there, with value mapping shared").waitFor();
  await one("several-b").getByText("new there, with value mapping shared").waitFor();
  await page.getByRole("button", { name: "Deploy 2 flows" }).click();
  await one("several-a").getByText("value mapping shared, revision 2").waitFor();
  await one("several-b").getByText("revision 1").waitFor();
  assert.equal(await one("several-b").getByText("value mapping shared").count(), 0);
  await assertAccessible(page);
  assert.deepEqual([await answer("several-a"), await answer("several-b")], ["one ZTWO", "one ZTWO"]);
  stage.assertNoErrors(page);
});
