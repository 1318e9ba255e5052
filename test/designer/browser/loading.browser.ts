/** When the code of a screen is loaded. */
import { after, test } from "node:test";
import { openStage } from "./support/stage.ts";

const stage = await openStage({
  files: { "orders.yaml": "- route:\n    id: orders\n    from:\n      uri: webhook\n      steps: []\n" },
});
after(() => stage.close());

test("the code of the editor comes while the list is shown: a flow is opened without any more of it", async () => {
  const page = await stage.open("#/flows");
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => /editor-screen-[^/]*\.js$/.test(name)),
  );
  await page.route("**/assets/editor-screen-*", (route) => route.abort());
  await page.getByRole("link", { name: "orders" }).first().click();
  await page.locator(".canvas .node").first().waitFor();
  stage.assertNoErrors(page);
});

test("a screen whose code cannot be loaded says so, and is loaded when one tries again", async () => {
  const page = await stage.open("#/flows");
  await page.getByRole("link", { name: "orders" }).first().waitFor();
  await page.route("**/assets/settings-screen-*.js", (route) => route.abort());
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByText("This screen has failed.").waitFor();
  await page.unroute("**/assets/settings-screen-*.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
});
