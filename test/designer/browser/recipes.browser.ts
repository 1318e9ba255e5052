/** Recipes: a flow is found, looked at, and made the person's own. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessible.ts";
import { logIn, openStage } from "./support/stage.ts";

const stage = await openStage({ files: { "documents/value-mappings/order-words.json": "{}\n" } });
after(() => stage.close());
// The runtime has one of the connections that recipes name.
const put = await stage.runtime.api("/connections/stock-db", {
  ...{ method: "PUT", headers: { "Content-Type": "application/json" } },
  body: JSON.stringify({
    kind: "postgres",
    servers: ["127.0.0.1:1"],
    database: "a",
    username: "a",
    passwordRef: "A",
  }),
});
assert.ok(put.ok, await put.text());

const view = (page: Page, title: string | RegExp) => page.getByRole("region", { name: title });

test("from the list of flows a recipe is found, looked at, and used: the flow opens, and the runtime takes it", async () => {
  const page = await stage.open("#/flows");
  await page.getByRole("button", { name: "Start from a recipe" }).click();
  await page.locator(".recipe-view .canvas .node").first().waitFor();
  const list = page.locator(".recipe-list");
  assert.deepEqual(await list.locator("h2").allTextContents(), [
    ...[
      "HTTP services and webhooks",
      "Message brokers",
      "Databases",
      "Files",
      "Schedules and mail",
      "When things fail",
    ],
  ]);
  await assertAccessible(page);
  const search = page.getByRole("searchbox", { name: "Search recipes" });
  await search.fill("nothing of the kind");
  await page.getByText("No recipe matches").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Show all recipes" }).click();
  await search.fill("price carriers");
  await page.getByText("No recipe matches").waitFor();
  await search.fill("several services");
  await page
    .getByRole("status")
    .filter({ hasText: /^\d of 30 recipes$/ })
    .waitFor();
  await page.getByRole("link", { name: /^Scatter-gather/ }).click();
  const shown = view(page, "Scatter-gather of three services with a time limit");
  await shown.getByText("Asks several services at the same time").waitFor();
  await shown.getByText("Needs three addresses").waitFor();
  assert.deepEqual(await shown.locator(".recipe-component").allTextContents(), ["http", "webhook"]);
  // The drawing shows, and changes nothing.
  await shown.locator('.node[data-id="ask-a"]').click();
  assert.equal(await shown.getByRole("button", { name: "Add a step here" }).count(), 0);
  await shown.getByRole("tab", { name: "YAML" }).click();
  await shown.locator(".cm-content", { hasText: "Asks three carriers for the price" }).waitFor();
  await shown.locator(".cm-content").click();
  await page.keyboard.type("changed");
  assert.equal(await shown.locator(".cm-content", { hasText: "changed" }).count(), 0);
  await assertAccessible(page);
  await shown.getByRole("tab", { name: "Files beside it" }).click();
  await shown.getByRole("heading", { name: "tests/scatter-gather.yaml" }).waitFor();
  await assertAccessible(page);
  await shown.getByRole("button", { name: "Use this recipe" }).click();
  const dialog = page.getByRole("dialog", { name: /^Use Scatter-gather/ });
  assert.equal(await dialog.getByLabel("Id of the flow").inputValue(), "scatter-gather");
  await dialog.getByText("Its routes keep their ids").waitFor();
  await dialog.getByLabel("Id of the flow").fill("no good");
  await dialog.getByText("an id has 1 to 128 characters").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Make the flow" }).isDisabled(), true);
  await dialog.getByLabel("Id of the flow").fill("parcel-offers");
  await dialog.getByText("tests/parcel-offers.yaml").waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Make the flow" }).click();
  await page.getByText("parcel-offers is in the workspace, as a draft. Needs three addresses").waitFor();
  await page.locator(".editor-bar h1", { hasText: "Scatter-gather of three services" }).waitFor();
  await page.locator(".editor-bar .chip", { hasText: "Draft" }).waitFor();
  assert.match(await stage.read("parcel-offers.yaml"), /^# Asks three carriers for the price/);
  assert.match(await stage.read("tests/parcel-offers.yaml"), /^flow: "parcel-offers"$/m);
  await page.locator(".editor-bar").getByRole("button", { name: "Deploy" }).click();
  const deploy = page.getByRole("dialog", { name: /^Deploy / });
  await deploy.getByRole("button", { name: "Deploy" }).click();
  await page.locator(".editor-bar .chip", { hasText: "Deployed" }).waitFor();
  const answer = await stage.runtime.api("/flows/parcel-offers");
  assert.deepEqual([answer.status, ((await answer.json()) as { state: string }).state], [200, "Started"]);
  stage.assertNoErrors(page);
});

test("by keyboard alone: from a new flow to the recipes, through the list, and to a flow of one's own", async () => {
  const page = await stage.open("#/flows");
  await page.getByRole("button", { name: "Start from a recipe" }).waitFor();
  const keys = async (...all: readonly string[]): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };
  await keys("t");
  await page.locator(".recipe-link").first().waitFor();
  await keys("/");
  await page.keyboard.type("retry");
  await page.getByRole("status").filter({ hasText: "of 30 recipes" }).waitFor();
  await keys("Control+a", "Delete", "ArrowDown");
  const focused = page.locator(".recipe-link:focus .recipe-title");
  await focused.filter({ hasText: /^Signed webhook/ }).waitFor();
  await keys("End");
  await focused.filter({ hasText: /^Saga/ }).waitFor();
  await keys("ArrowUp", "Enter");
  await view(page, /^Failover/)
    .locator(".canvas .node")
    .first()
    .waitFor();
  // The list keeps the focus, and the next key goes on from there.
  await keys("ArrowUp", "Enter");
  const shown = view(page, "Each event once, over restarts");
  await shown.locator(".canvas .node").first().waitFor();
  await page.waitForURL(/#\/recipes\?recipe=deduplicate-events$/);
  await keys("u");
  await page.getByRole("dialog", { name: "Use Each event once" }).waitFor();
  await keys("Enter");
  await page.locator(".editor-bar .chip", { hasText: "Draft" }).waitFor();
  assert.match(await stage.read("deduplicate-events.flow.yaml"), /^description: \|\n {2}Each event once/);
  // The name is the first line of the description, the others stay when it changes.
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Events of the shop");
  await page.getByRole("textbox", { name: "About" }).filter({ hasText: "Recognises repeated events" }).waitFor();
  await keys("Control+s");
  await page.locator(".editor-bar h1", { hasText: "Events of the shop" }).waitFor();
  assert.match(
    await stage.read("deduplicate-events.flow.yaml"),
    /^description: \|\n {2}Events of the shop\n {2}Recognises repeated events/,
  );
  stage.assertNoErrors(page);
});

test("what is there is named: connections of the runtime, files that stay, ids of flows and routes that are taken", async () => {
  const page = await stage.open("#/recipes?recipe=table-to-csv-on-sftp");
  await page.locator(".recipe-fact", { hasText: "stock-db" }).getByText("on the runtime").waitFor();
  await page.locator(".recipe-fact", { hasText: "partner" }).getByText("to be made").waitFor();
  await page.getByRole("link", { name: /^Content-based router/ }).click();
  await page.locator(".recipe-fact", { hasText: "order-words" }).getByText("value mapping").waitFor();
  await page.getByRole("button", { name: "Use this recipe" }).click();
  await page.getByRole("button", { name: "Make the flow" }).click();
  await page.getByText("documents/value-mappings/order-words.json. Look whether the flow can use it.").waitFor();
  assert.equal(await stage.read("documents/value-mappings/order-words.json"), "{}\n");
  // That of the first test is deployed, with the routes of the recipe.
  await page.goto(`${stage.designer.url}/#/recipes?recipe=scatter-gather`);
  await page.getByRole("button", { name: "Use this recipe" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("offers is a route of the flow parcel-offers.").waitFor();
  await dialog.getByLabel("Id of the flow").fill("Parcel-Offers");
  await dialog.getByText("There is a flow parcel-offers. Choose another id.").waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await page.goto(`${stage.designer.url}/#/recipes?recipe=none`);
  await page.getByText("there is no recipe 'none'").waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page, /404/);
});

test("an operator makes a connection of the document that came with a recipe", async () => {
  const page = await stage.open("#/recipes?recipe=table-to-csv-on-sftp");
  await page.getByRole("button", { name: "Use this recipe" }).click();
  await page.getByRole("dialog").getByLabel("Id of the flow").fill("stock");
  await page.getByRole("button", { name: "Make the flow" }).click();
  await page.locator(".editor-bar .chip", { hasText: "Draft" }).waitFor();
  await page.goto(`${stage.designer.url}/#/connections`);
  await page.getByRole("button", { name: "New connection" }).click();
  const make = page.getByRole("group", { name: "Documents of the workspace" });
  await make.getByRole("button", { name: "partner" }).click();
  assert.deepEqual(await make.getByRole("button").allTextContents(), ["partner"]);
  await page.getByText("of the kind sftp").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: /partner/ }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^partner is saved/).waitFor();
  const partner = (await (await stage.runtime.api("/connections/partner")).json()) as { kind: string; flows: unknown };
  assert.deepEqual([partner.kind, partner.flows], ["sftp", ["stock"]]);
  stage.assertNoErrors(page);
});

test("a viewer looks at recipes and is told who can use them; a list that cannot be read is asked for again", async () => {
  const other = await openStage({ hasLogin: true });
  after(() => other.close());
  const page = await other.open("#/recipes");
  await logIn(page, "viewer");
  await page.getByText("Somebody with the role editor can use it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Use this recipe" }).count(), 0);
  await page.route("**/designer/recipes", (route) => route.abort());
  await page.reload();
  await page.getByText("The recipes could not be read.").waitFor();
  await assertAccessible(page);
  await page.unroute("**/designer/recipes");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".recipe-link").first().waitFor();
  other.assertNoErrors(page, /ERR_FAILED|401/);
});
