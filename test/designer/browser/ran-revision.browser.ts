/** What ran is drawn on the revision that ran, also when the editor has another text by now. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessible.ts";
import { openStage } from "./support/stage.ts";

const flow = (last: string): string => `- route:
    id: shop
    from:
      uri: webhook
      steps:
        - setHeader: { id: mark, name: X-Total, expression: { simple: "\${body}" } }
        - setBody: { id: ${last}, expression: { constant: thanks } }
`;
const stage = await openStage({ files: { "shop.yaml": flow("first") } });
after(() => stage.close());
const deploy = async (last: string): Promise<void> => {
  assert.ok((await stage.runtime.put("shop", flow(last), { record: "all" })).ok);
};
const call = (): Promise<Response> => stage.runtime.post("/api/shop", "1", { "content-type": "text/plain" });

async function openPanel(panel: string): Promise<Page> {
  const page = await stage.open(`#/flows/shop?panel=${panel}`);
  await page.locator(".canvas .node").first().waitFor();
  return page;
}

const node = (page: Page, id: string, state = ""): ReturnType<Page["locator"]> =>
  page.locator(`.canvas .node${state}[data-id="${id}"]`);

test("a run beside an edited flow is drawn on its own revision, which cannot be edited, and the editor's text is one click away", async () => {
  await deploy("first");
  await call();
  const page = await openPanel("runs");
  await page.getByLabel("Runs of this flow").getByRole("button").first().click();
  await node(page, "first", ".ok").waitFor();
  await node(page, "first").click();
  await page.keyboard.press("Delete");
  await node(page, "first").waitFor({ state: "detached" });
  await page.getByText("Your text in the editor differs from revision 1").waitFor();
  await page.locator(".canvas .node.ok").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Draw revision 1" }).click();
  await node(page, "first", ".ok").waitFor();
  await page.getByText("The drawing shows revision 1, which ran.").waitFor();
  await node(page, "first").click();
  await page.keyboard.press("Delete");
  assert.equal(await page.getByRole("button", { name: "Add a step here" }).count(), 0);
  assert.equal(await node(page, "first", ".ok").count(), 1);
  await assertAccessible(page);
  await page.getByRole("button", { name: "Draw the editor's text" }).click();
  await node(page, "first").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Draw revision 1" }).click();
  await node(page, "first", ".ok").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("The drawing shows revision 1").waitFor({ state: "detached" });
  await node(page, "first", ".ok").waitFor();
  stage.assertNoErrors(page);
});

test("live counts stand on the revision that runs", async () => {
  await deploy("second");
  const page = await openPanel("live");
  await page.getByText("The drawing shows revision 2, which ran.").waitFor();
  await page.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  await call();
  await node(page, "second").locator(".badge").first().waitFor();
  await page.getByRole("tab", { name: "Form" }).click();
  await node(page, "first").waitFor();
  assert.equal(await page.locator(".canvas .badge").count(), 0);
  stage.assertNoErrors(page);
});

test("a run of a revision that the runtime no longer keeps is not drawn, and a note says why", async () => {
  for (let at = 0; at < 10; at += 1) await deploy(`later${at}`);
  const page = await openPanel("runs");
  await page.getByLabel("Runs of this flow").getByRole("button").last().click();
  await page.getByText("The runtime no longer keeps revision 1, which ran.").waitFor();
  assert.equal(await page.locator(".canvas .node.ok").count(), 0);
  await assertAccessible(page);
  stage.assertNoErrors(page);
});
