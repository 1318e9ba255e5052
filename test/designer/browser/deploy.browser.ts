/** A flow is deployed from the editor and from the list: compared, refused, deployed over somebody else's, and rolled back. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import type { FlowFile } from "../../../designer/shared/wire.ts";
import { assertAccessible } from "./support/accessible.ts";
import { passTime } from "./support/clock.ts";
import { openStage } from "./support/stage.ts";

function flow(id: string, message: string): string {
  return `- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - setBody: { id: say, constant: ${message} }
`;
}

const stage = await openStage({
  files: {
    "shop.yaml": flow("shop", "one"),
    "shop.flow.yaml": "description: The shop\nrecord: all\n",
    "listed.yaml": flow("listed", "from the list"),
    "guarded.yaml": flow("guarded", "one"),
  },
});
after(() => stage.close());

async function openFlow(id: string, query = ""): Promise<Page> {
  const page = await stage.open(`#/flows/${id}${query}`);
  await page.locator(".canvas .node").first().waitFor();
  return page;
}

function state(page: Page, text: string): Promise<void> {
  return page.locator(".editor-bar .chip", { hasText: new RegExp(`^${text}$`) }).waitFor();
}

/** Changes the text that the step `say` sets, by its form. */
async function say(page: Page, text: string): Promise<void> {
  await page.locator('.node[data-id="say"]').click();
  await page.locator("#editor-form .expression :is(input, textarea)").first().fill(text);
  await page.locator('.node[data-id="say"]', { hasText: text }).waitFor();
}

function deploy(page: Page) {
  return page.locator(".dialog").getByRole("button", { name: "Deploy", exact: true });
}

async function answer(id: string): Promise<string> {
  return (await stage.runtime.post(`/api/${id}`, "x")).text();
}

test("a new flow is deployed with its options, and the next deployment saves first and shows the difference", async () => {
  const page = await openFlow("shop");
  await state(page, "Saved");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("does not have this flow yet").waitFor();
  await page.locator(".deploy-plan", { hasText: "shop starts" }).waitFor();
  await assertAccessible(page);
  await deploy(page).click();
  await page.getByText("The shop is deployed to Runtime, revision 1.").waitFor();
  await state(page, "Deployed");
  assert.equal(await answer("shop"), "one");
  assert.equal((await (await stage.runtime.api("/flows/shop")).json()).record, "all");
  await say(page, "two");
  await state(page, "Modified");
  await page.keyboard.press("Control+Shift+Enter");
  await page.locator(".diff-line.added", { hasText: "two" }).waitFor();
  await page.locator(".diff-line.removed", { hasText: "one" }).waitFor();
  await page.getByText("Your changes are saved first.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("revision 2.").waitFor();
  await state(page, "Deployed");
  assert.match(await stage.read("shop.yaml"), /two/);
  assert.equal(await answer("shop"), "two");
  stage.assertNoErrors(page);
});

test("options are compared, too", async () => {
  const page = await openFlow("shop", "?panel=options");
  await page.getByLabel("Category").fill("Shops");
  await page.getByLabel("Category").blur();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.locator(".diff-line.added", { hasText: '"category": "Shops"' }).waitFor();
  await deploy(page).click();
  await page.getByText("revision 3.").waitFor();
  assert.equal((await (await stage.runtime.api("/flows/shop")).json()).category, "Shops");
  stage.assertNoErrors(page);
});

test("what would be refused is not sent: each problem has its line and leads to its step", async () => {
  const page = await openFlow("shop", "?panel=yaml");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("        - lgo: x");
  await page.locator(".node", { hasText: "lgo" }).waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("It would be refused").waitFor();
  await page.locator(".problem-list", { hasText: "unknown step 'lgo'" }).waitFor();
  assert.equal(await deploy(page).isDisabled(), true);
  await assertAccessible(page);
  await page.locator(".problem-list").getByRole("button", { name: "line 7" }).click();
  await page.locator('.node[aria-pressed="true"]', { hasText: "lgo" }).waitFor();
  stage.assertNoErrors(page);
});

test("a refused deployment leaves the state Failed with the reason, also in the list, until the flow is changed or deployed", async () => {
  const page = await openFlow("listed");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("does not have this flow yet").waitFor();
  // Another flow takes the route's name between the comparison and the deployment.
  assert.equal((await stage.runtime.put("thief", flow("listed", "stolen"))).status, 201);
  await deploy(page).click();
  await page.getByText("It was not deployed").waitFor();
  await page.locator(".dialog .note.error", { hasText: "'listed'" }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await state(page, "Failed");
  await page.locator(".editor > .note.error", { hasText: "'listed'" }).waitFor();
  await assertAccessible(page);
  const list = await stage.open("#/flows");
  await list.locator("tr", { hasText: "listed" }).locator(".chip", { hasText: "Failed" }).waitFor();
  await list.locator(".list-problem", { hasText: "'listed'" }).waitFor();
  await assertAccessible(list);
  assert.equal((await stage.runtime.api("/flows/thief", { method: "DELETE" })).status, 200);
  await list.getByRole("button", { name: "Actions of listed" }).click();
  await list.getByRole("menuitem", { name: "Deploy" }).click();
  await deploy(list).click();
  await list.getByText("listed is deployed to Runtime").waitFor();
  await list.locator("tr", { hasText: "listed" }).locator(".chip", { hasText: "Deployed" }).waitFor();
  assert.equal(await answer("listed"), "from the list");
  stage.assertNoErrors(page, /409/);
  stage.assertNoErrors(list);
});

test("when somebody else has deployed meanwhile, nothing is changed: their version is compared, and taken or deployed over", async () => {
  await stage.runtime.put("guarded", flow("guarded", "one"));
  const page = await openFlow("guarded");
  await state(page, "Deployed");
  await say(page, "mine");
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.locator(".diff-line.added", { hasText: "mine" }).waitFor();
  await stage.runtime.put("guarded", flow("guarded", "theirs"));
  await deploy(page).click();
  await page.getByText("Somebody else has deployed meanwhile").waitFor();
  await page.locator(".diff-line.removed", { hasText: "theirs" }).waitFor();
  assert.equal(await answer("guarded"), "theirs");
  await assertAccessible(page);
  // Whoever presses Enter twice has not seen it.
  const over = page.getByRole("button", { name: "Deploy over theirs" });
  await over.waitFor();
  await page.keyboard.press("Enter");
  await over.waitFor();
  assert.equal(await answer("guarded"), "theirs");
  await page.getByRole("button", { name: "Take theirs into the editor" }).click();
  await page.locator('.node[data-id="say"]', { hasText: "theirs" }).waitFor();
  await page.keyboard.press("Control+z");
  await page.locator('.node[data-id="say"]', { hasText: "mine" }).waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.getByText("was not deployed from here").waitFor();
  await deploy(page).click();
  await page.getByText("guarded is deployed to Runtime, revision 3.").waitFor();
  assert.equal(await answer("guarded"), "mine");
  stage.assertNoErrors(page, /412/);
});

test("a save that fails inside of a deployment is reported in the dialog, with the name of the file", async () => {
  const page = await openFlow("guarded");
  await say(page, "unsaved");
  await page.route("**/designer/flows/guarded", (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({ status: 507, contentType: "application/json", body: '{"error":"the disk is full"}' })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.locator(".diff-line.added", { hasText: "unsaved" }).waitFor();
  await deploy(page).click();
  await page.locator("dialog").getByText("guarded.yaml was not saved: the disk is full").waitFor();
  assert.equal(await answer("guarded"), "mine");
  // The next screen is not under the dialog of this one.
  await page.evaluate(() => {
    location.hash = "#/flows";
  });
  await page.locator("dialog").waitFor({ state: "detached" });
  stage.assertNoErrors(page, /507/);
});

test("a runtime that does not answer, or does not take the token, is shown as what it is, and read again when it does", async () => {
  const page = await stage.open("#/operations?tab=health", { hasClock: true });
  const dot = page.locator(".target-state");
  await page.locator(".target-state.up, .target-state.degraded").waitFor();
  await page.route("**/targets/**", (route) => route.abort());
  await passTime(page, 6000);
  await page.locator(".target-state.down").waitFor();
  await page.getByText(/^Unknown; last seen: Up/).waitFor();
  await page.unroute("**/targets/**");
  await passTime(page, 6000);
  await page.locator(".target-state.up, .target-state.degraded").waitFor();
  // Without a valid token health has a short answer.
  await page.route("**/_api/health*", async (route) => {
    const answer = await route.fetch();
    const { store: _, ...short } = (await answer.json()) as Record<string, unknown>;
    await route.fulfill({ response: answer, json: short });
  });
  await passTime(page, 6000);
  await page.locator(".target-state.refused").waitFor();
  assert.match((await dot.getAttribute("aria-label")) ?? "", /refuses the designer's token/);
});

test("a revision is compared, taken into the editor, and rolled back to", async () => {
  const page = await openFlow("guarded", "?panel=revisions");
  const list = page.getByLabel("Revisions on Runtime");
  await list.getByText("by local, from here").waitFor();
  await list.getByRole("button", { name: /^Revision 1 / }).click();
  await page.locator(".diff-line.removed", { hasText: "one" }).waitFor();
  await page.locator(".diff-line.added", { hasText: "mine" }).waitFor();
  await page.getByRole("button", { name: "Take it into the editor" }).click();
  await page.locator('.node[data-id="say"]', { hasText: "one" }).waitFor();
  await state(page, "Modified");
  await page.getByRole("button", { name: "Undo: Take revision 1" }).click();
  await page.locator('.node[data-id="say"]', { hasText: "mine" }).waitFor();
  await page.getByRole("button", { name: "Roll back to it" }).click();
  await page.locator(".dialog .diff-line.added", { hasText: "one" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Revision 1 runs again, as revision 4.").waitFor();
  assert.equal(await answer("guarded"), "one");
  await state(page, "Modified");
  await list.getByRole("button", { name: /^Revision 4 runs now/ }).waitFor();
  const file = await stage.designer.json<FlowFile>("GET", "/designer/flows/guarded");
  assert.equal(file.deployed["default"]?.revision, 4);
  stage.assertNoErrors(page);
});
