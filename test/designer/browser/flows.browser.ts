/** The list of flows: they are made, duplicated, imported and exported. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import type { Download, Page } from "playwright-core";
import { assertAccessible } from "./support/accessible.ts";
import { holdTime } from "./support/clock.ts";
import { openStage } from "./support/stage.ts";

const stage = await openStage();
after(() => stage.close());

function openList(): Promise<Page> {
  return stage.open("#/flows");
}

function file(name: string, text: string) {
  return { name, mimeType: "application/yaml", buffer: Buffer.from(text) };
}

test("an empty list says what to do; a new flow has a name, a category and a description, is a draft, and opens", async () => {
  const page = await openList();
  await page.getByText("There are no flows yet").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "New flow" }).click();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("Give it a name that has a letter or a digit.").waitFor();
  await page.getByLabel("Name").fill("Bestellungen für Łódź");
  await page.getByText("it is called at /api/bestellungen-fur-lodz").waitFor();
  await page.getByLabel("Category").fill("Shop");
  await page.getByLabel("Description").fill("Takes orders: all of them");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".editor-bar .chip", { hasText: "Draft" }).waitFor();
  await page.locator(".editor-bar h1", { hasText: "Bestellungen für Łódź" }).waitFor();
  assert.equal(
    await stage.read("bestellungen-fur-lodz.yaml"),
    '- route:\n    id: bestellungen-fur-lodz\n    description: "Takes orders: all of them"\n    from:\n      uri: webhook\n      steps: []\n',
  );
  assert.equal(
    await stage.read("bestellungen-fur-lodz.flow.yaml"),
    "description: Bestellungen für Łódź\ncategory: Shop\n",
  );
  stage.assertNoErrors(page);
});

test("by keyboard alone: a second flow of the same name has the next id; the list is searched", async () => {
  const page = await openList();
  await page.locator(".list-name").first().waitFor();
  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "New flow" }).waitFor();
  await page.keyboard.type("bestellungen fur lodz");
  await page.getByText("/api/bestellungen-fur-lodz-2").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".editor-bar .chip", { hasText: "Draft" }).waitFor();
  await holdTime(page);
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.locator(".list-name").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("łódź");
  await page.getByText("1 of 2 flows").waitFor();
  stage.assertNoErrors(page);
});

const orders = `# Orders
- route:
    id: orders
    from:
      uri: webhook # the door
      steps:
        - to: direct:store
- route:
    id: orders-store
    from: { uri: "direct:store", steps: [ { log: "\${body}" } ] }
`;
const companion = "# ours\ndescription: Orders\ncategory: Shop # where it belongs\nparams: { a: 1 }\n";

test("a flow is duplicated with its options; its routes have names of their own", async () => {
  await stage.write("orders.yaml", orders);
  await stage.write("orders.flow.yaml", companion);
  const page = await openList();
  await page.getByRole("button", { name: "Actions of Orders", exact: true }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await page.getByRole("dialog").locator("input:focus").waitFor();
  await page.keyboard.type("Returns");
  await page.keyboard.press("Enter");
  await page.locator(".editor-bar h1", { hasText: "Returns" }).waitFor();
  await page.locator(".editor-bar .chip", { hasText: "Draft" }).waitFor();
  assert.equal(
    await stage.read("returns.yaml"),
    orders
      .replace("id: orders\n", "id: returns\n")
      .replace("orders-store", "returns-store")
      .replaceAll("direct:store", "direct:returns-store"),
  );
  assert.equal(await stage.read("returns.flow.yaml"), companion.replace("description: Orders", "description: Returns"));
  stage.assertNoErrors(page);
});

test("files are imported: new ones as they are, one whose name exists only after a choice, others refused with a reason", async () => {
  const page = await openList();
  await page.locator(".list-name", { hasText: "Orders" }).waitFor();
  const kaoto = `- route:\r\n    id: tick\r\n    from:\r\n      uri: timer:a?period=100000\r\n      steps:\r\n        - log: { message: tick }\r\n        - lgo: x\r\n`;
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Import" }).click(),
  ]);
  await chooser.setFiles([
    file("tick.camel.yaml", kaoto),
    file("tick.flow.yaml", "# of tick\n"),
    file("orders.yaml", "- from: { uri: webhook, steps: [] }\n"),
    file("compose.yaml", "services: {}\n"),
  ]);
  await page.getByText("There is a flow orders already.").waitFor();
  await page.getByText("compose.yaml: It has no part of a flow").waitFor();
  await page.getByText("tick.flow.yaml: It has the options of a flow tick").waitFor();
  await page.getByText("Line 7: unknown step 'lgo'").waitFor();
  await assertAccessible(page);
  await page.getByLabel("What to do with orders").selectOption("Import as orders-2");
  await page.getByRole("button", { name: "Import 2 flows" }).click();
  await page.getByText("2 flows were imported.").waitFor();
  await page.locator(".list-name", { hasText: "tick" }).waitFor();
  assert.equal(await stage.read("tick.yaml"), kaoto);
  assert.equal(await stage.read("orders.yaml"), orders);
  assert.equal(await stage.read("orders-2.yaml"), "- from: { uri: webhook, steps: [] }\n");
  stage.assertNoErrors(page);
});

test("files are dropped on the list; what is replaced was chosen to be", async () => {
  const page = await openList();
  await page.locator(".list-name", { hasText: "orders-2" }).waitFor();
  const drop = await page.evaluateHandle(
    (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "orders-2.yaml"));
      return data;
    },
    orders.replaceAll("orders", "again"),
  );
  await page.dispatchEvent(".drop-area", "dragover", { dataTransfer: drop });
  await page.getByText("Drop the files to import them").waitFor();
  await page.dispatchEvent(".drop-area", "drop", { dataTransfer: drop });
  await page.getByRole("button", { name: "Import 0 flows" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Import 0 flows" }).isDisabled(), true);
  await page.getByLabel("What to do with orders-2").selectOption("Replace it");
  await page.getByRole("button", { name: "Import 1 flow" }).click();
  await page.getByText("1 flow was imported.").waitFor();
  assert.equal(await stage.read("orders-2.yaml"), orders.replaceAll("orders", "again"));
  stage.assertNoErrors(page);
});

test("an export has the flow's files as they are, comments of the companion included", async () => {
  const page = await openList();
  await page.getByRole("button", { name: "Actions of Orders", exact: true }).click();
  const files: Download[] = [];
  page.on("download", (download) => files.push(download));
  await page.getByRole("menuitem", { name: "Export" }).click();
  while (files.length < 2) await page.waitForEvent("download");
  const texts = new Map<string, string>();
  for (const download of files) texts.set(download.suggestedFilename(), await readFile(await download.path(), "utf8"));
  assert.deepEqual(Object.fromEntries(texts), { "orders.yaml": orders, "orders.flow.yaml": companion });
  stage.assertNoErrors(page);
});
