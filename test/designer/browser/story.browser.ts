/** The whole story of a flow, once with the mouse and once with the keyboard alone: from nothing to a roll back. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessible.ts";
import { type Hand, keyboard, mouse } from "./support/hands.ts";
import { openStage } from "./support/stage.ts";

const stage = await openStage({ runtime: { egressAllow: "127.0.0.1" } });
const stock = createServer((_request, response) => response.end("in stock"));
await new Promise<void>((listening) => void stock.listen(0, "127.0.0.1", listening));
const stockUrl = `http://127.0.0.1:${(stock.address() as AddressInfo).port}/stock`;
after(async () => {
  stock.close();
  await stage.close();
});

for (const [hands, category] of [
  [mouse, "By mouse"],
  [keyboard, "By keyboard"],
] as const)
  test(`${category}: new flow, edit, try, deploy, watch, fail, repair, roll back`, async () => {
    const page = await stage.open("#/flows");
    // The screens are the same for both hands: they are looked at once.
    const look = async (): Promise<void> => void (hands === mouse && (await assertAccessible(page)));
    await story(page, hands(page), category, look);
    stage.assertNoErrors(page);
  });

async function story(page: Page, hand: Hand, category: string, look: () => Promise<void>): Promise<void> {
  const id = category.toLowerCase().replace(" ", "-");
  const path = `/api/${id}`;
  const state = (text: string): Promise<void> =>
    page.locator(".editor-bar .chip", { hasText: new RegExp(`^${text}$`) }).waitFor();
  const tryIt = async (body: string): Promise<void> => {
    await hand.showPanel("Try it");
    await hand.write(page.getByLabel("Body"), body);
    await hand.press(page.getByRole("button", { name: "Send" }));
  };

  // New flow.
  await hand.newFlow(category, category);
  await page.getByRole("heading", { name: category }).waitFor();
  await state("Draft");
  await look();

  // Edit, deploy, and try.
  await hand.addStep("set body");
  await page.locator('.node[data-id="setBody-1"][aria-pressed="true"]').waitFor();
  await hand.write(page.locator("#editor-form").getByLabel("Expression").first(), "Thanks for ${body}");
  await page.locator('.node[data-id="setBody-1"]', { hasText: "Thanks for" }).waitFor();
  await state("Draft");
  await hand.deploy((dialog) => dialog.getByText("does not have this flow yet").waitFor());
  await page.getByText("is deployed to Runtime, revision 1.").waitFor();
  await state("Deployed");
  await tryIt("tea");
  await page.locator(".watch-panel .chip", { hasText: "HTTP 200" }).waitFor();
  await page.locator('.node.ok[data-id="setBody-1"]').waitFor();
  await page.locator(".watch-panel").getByText("Thanks for tea").first().waitFor();
  await look();

  // The next version calls a system that does not answer.
  await hand.showPanel("Form");
  await hand.addStep("http");
  await page.locator('.node[data-id="to-1"][aria-pressed="true"]').waitFor();
  await hand.write(page.locator("#editor-form").getByLabel("Address"), "http://127.0.0.1:1/stock");
  await page.locator('.node[data-id="to-1"]', { hasText: "127.0.0.1:1/stock" }).waitFor();
  await state("Modified");
  await hand.deploy(async (dialog) => {
    await dialog.locator(".diff-line.added", { hasText: "127.0.0.1:1/stock" }).waitFor();
    await dialog.getByText("Your changes are saved first.").waitFor();
    await look();
  });
  await page.getByText("is deployed to Runtime, revision 2.").waitFor();
  await state("Deployed");

  // Watch it fail.
  await hand.showPanel("Live");
  await page.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  assert.equal((await stage.runtime.post(path, "coffee")).status, 500);
  await page.locator('.node[data-id="to-1"] .badge.bad', { hasText: "1 failed" }).waitFor();
  await look();
  await hand.showPanel("Runs");
  await hand.press(page.getByLabel("Runs of this flow").getByRole("button").first());
  await page.locator('.node.failed[data-id="to-1"]').waitFor();
  await page.getByText("The run failed at step to-1").waitFor();
  await look();

  // Repair.
  await hand.selectStep("to-1");
  await hand.showPanel("Form");
  await hand.write(page.locator("#editor-form").getByLabel("Address"), stockUrl);
  await hand.deploy((dialog) => dialog.locator(".diff-line.added", { hasText: stockUrl }).waitFor());
  await page.getByText("is deployed to Runtime, revision 3.").waitFor();
  await state("Deployed");
  await tryIt("coffee");
  await page.locator('.node.ok[data-id="to-1"]').waitFor();
  await page.locator(".watch-panel").getByText("in stock").first().waitFor();

  // Roll back.
  await hand.showPanel("Revisions");
  await hand.press(page.getByLabel("Revisions on Runtime").getByRole("button", { name: /^Revision 1 / }));
  await page.locator(".diff-line.added", { hasText: stockUrl }).waitFor();
  await look();
  await hand.press(page.getByRole("button", { name: "Roll back to it" }));
  const asked = page.getByRole("dialog", { name: "Roll back to revision 1" });
  await asked.locator(".diff-line.removed", { hasText: stockUrl }).waitFor();
  await hand.press(asked.getByRole("button", { name: "Roll back to it" }));
  await page.getByText("Revision 1 runs again, as revision 4.").waitFor();
  await state("Modified");
  assert.equal(await (await stage.runtime.post(path, "tea")).text(), "Thanks for tea");
  assert.match(await stage.read(`${id}.yaml`), new RegExp(`uri: "?${stockUrl}`));

  // The list has it all.
  await hand.press(page.locator(".editor-back"));
  const row = page.locator("tr", { hasText: category });
  await row.locator(".chip", { hasText: "Modified" }).waitFor();
  await row.locator(".chip", { hasText: "Started" }).waitFor();
  await row.locator(".flow-errors", { hasText: "1" }).waitFor();
  await look();
}
