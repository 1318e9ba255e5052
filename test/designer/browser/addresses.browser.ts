/** Addresses that lead to what is open already: the screen follows them, and no dialog lies over the next one. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { openStage } from "./support/stage.ts";

const shop = `- route:
    id: shop
    from:
      uri: webhook
      steps:
        - to: { id: first, uri: "direct:store" }
- route:
    id: store
    from: { uri: "direct:store", steps: [{ log: { id: stored, message: stored } }] }
`;
const stage = await openStage({ files: { "shop.yaml": shop } });
after(() => stage.close());

async function follow(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

test("a link into the flow that is open selects what it leads to and shows its panel, each time it is followed", async () => {
  const page = await stage.open("#/flows/shop");
  const selected = page.locator('.route-head .node[aria-pressed="true"]', { hasText: "store" });
  for (const _ of ["once", "again"]) {
    await page.locator('[data-id="first"]').click();
    await page.locator('.node[data-id="first"][aria-pressed="true"]').waitFor();
    await follow(page, "#/flows/shop?called=store&panel=yaml");
    await selected.waitFor();
    await page.locator(".cm-content").waitFor();
  }
  stage.assertNoErrors(page);
});

test("Back closes a dialog of the screen that is left", async () => {
  const page = await stage.open("#/flows");
  await page.locator("tbody tr", { hasText: "shop" }).waitFor();
  await follow(page, "#/flows/shop");
  await page.locator('[data-id="first"]').waitFor();
  await page.getByRole("button", { name: "Deploy" }).click();
  await page.locator("dialog[open]").waitFor();
  await page.goBack();
  await page.locator("tbody tr", { hasText: "shop" }).waitFor();
  assert.equal(await page.locator("dialog[open]").count(), 0);
  stage.assertNoErrors(page);
});
