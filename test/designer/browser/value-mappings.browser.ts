/** Value mappings are listed, made, edited as a grid with keyboard, mouse and clipboard, looked up, imported, saved and deleted. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessible.ts";
import { openStage } from "./support/stage.ts";

const flow = `- route:
    id: orders
    from:
      uri: webhook
      steps:
        - valueMapping: { stepId: translate, id: order-status, from: crm, to: erp }
`;
const stage = await openStage({ files: { "orders.yaml": flow } });
after(() => stage.close());

const orderStatus = {
  name: "Order status",
  columns: { crm: { agency: "SALESFORCE" }, erp: {} },
  rows: [
    { crm: "New", erp: "ZNEW" },
    { crm: ["Done", "Closed"], erp: "ZCLS" },
    { crm: "Hold", erp: 12345678901234 },
  ],
  lookups: [{ from: "crm", to: "erp", onMissing: "default", default: "ZUNK" }],
  labels: { team: "a" },
};

function put(id: string, document: unknown): Promise<Response> {
  return stage.runtime.api(`/value-mappings/${id}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: typeof document === "string" ? document : JSON.stringify(document),
  });
}

async function installed(id: string): Promise<string> {
  return (await stage.runtime.api(`/value-mappings/${id}`)).text();
}

await put("order-status", orderStatus);
await put("team-a.codes", { entries: { DE: "Germany" } });
assert.equal((await stage.runtime.put("orders", flow)).status, 201);

function cell(page: Page, text: string) {
  return page.locator(".grid-cell", { hasText: text });
}

/** Opens a mapping with its first cell active. */
async function openGrid(id: string): Promise<Page> {
  const page = await stage.open(`#/value-mappings/${id}`, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator(".grid").focus();
  return page;
}

test("the list has rows, groups and users, and is searched", async () => {
  const page = await stage.open("#/value-mappings");
  const row = page.locator("tbody tr", { hasText: "order-status" });
  await row.waitFor();
  assert.match(await row.innerText(), /Order status\s+crm, erp\s+3\s+orders/);
  await page.getByLabel("Group", { exact: true }).selectOption("team-a");
  await row.waitFor({ state: "detached" });
  await page.getByText("1 of 2 mappings").waitFor();
  await page.getByLabel("Group", { exact: true }).selectOption("");
  await page.getByLabel("Search value mappings").fill("status orders");
  await page.getByText("1 of 2 mappings").waitFor();
  await row.getByRole("link").click();
  await cell(page, "Done|Closed").waitFor();
  stage.assertNoErrors(page);
});

test("cells are edited with the keyboard, checked as one types, taken back, and installed", async () => {
  const page = await openGrid("order-status");
  await cell(page, "ZNEW").waitFor();
  await page.keyboard.type("Done");
  await page.keyboard.press("Enter");
  // The value stands in two rows by now.
  const problem = page.locator(".grid-cell.error", { hasText: "Done" });
  await problem.first().waitFor();
  await page.getByText("1 problem", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Problems" }).click();
  await page.locator(".mapping-problems .link").click();
  await page.locator(".mapping-here", { hasText: "stands in /rows/0 too" }).waitFor();
  await assertAccessible(page);
  await page.locator(".grid").focus();
  await page.keyboard.press("Control+z");
  await cell(page, "New").first().waitFor();
  await problem.first().waitFor({ state: "detached" });
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F2");
  await page.keyboard.type("X");
  // Saving takes over what is in the field.
  await page.keyboard.press("Control+s");
  await page.getByText("order-status is installed").waitFor();
  const saved = JSON.parse(await installed("order-status"));
  assert.deepEqual(saved, { ...orderStatus, rows: [{ crm: "New", erp: "ZNEWX" }, ...orderStatus.rows.slice(1)] });
  stage.assertNoErrors(page);
});

test("ranges go to the clipboard and come from it; a new row begins at the end; digits stay as they are", async () => {
  await put("pasted", { columns: ["a", "b"], rows: [{ a: "1", b: "2" }] });
  const page = await openGrid("pasted");
  await cell(page, "1").first().waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "1\t2\n\t");
  await page.evaluate(() => navigator.clipboard.writeText('007\t12345678901234567890\r\nx|y\t"two\nlines"\r\n'));
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+ArrowDown");
  await page.keyboard.press("Control+v");
  await cell(page, "12345678901234567890").waitFor();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Delete");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+x");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Control+s");
  await page.getByText("pasted is installed").waitFor();
  assert.deepEqual(JSON.parse(await installed("pasted")), {
    columns: ["a", "b"],
    rows: [{}, { a: "007", b: "12345678901234567890" }, { a: ["x", "y"], b: "two\nlines" }],
  });
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+Delete");
  await page.getByText("2 rows", { exact: true }).waitFor();
  stage.assertNoErrors(page);
});

test("with the mouse cells are selected by dragging, edited by a double click, and columns are added and renamed", async () => {
  await put("mouse", {
    rows: [
      { crm: "New", erp: "ZNEW" },
      { crm: "Done", erp: "ZCLS" },
    ],
  });
  const page = await openGrid("mouse");
  await cell(page, "New").first().hover();
  await page.mouse.down();
  await cell(page, "ZCLS").hover();
  await page.mouse.up();
  await page.getByText("2 × 2 selected").waitFor();
  await cell(page, "ZCLS").dblclick();
  const field = page.getByRole("textbox", { name: "erp, row 2" });
  await field.fill("ZDON");
  await cell(page, "Done").click();
  await cell(page, "ZDON").waitFor();
  await page.getByRole("button", { name: "Column crm" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("erp");
  await page.getByText("There is a column of this name already.").waitFor();
  await page.getByRole("dialog").getByLabel("Name").fill("sales");
  await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
  await page.getByRole("button", { name: "Qualifier" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("country");
  await assertAccessible(page);
  await page.keyboard.press("Enter");
  await page.locator(".grid-title", { hasText: "when.country" }).waitFor();
  await page.locator('.grid-cell[data-row="0"][data-column="2"]').click();
  await page.keyboard.type("DE");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("mouse is installed").waitFor();
  assert.deepEqual(JSON.parse(await installed("mouse")).rows, [
    { sales: "New", erp: "ZNEW", when: { country: "DE" } },
    { sales: "Done", erp: "ZDON" },
  ]);
  stage.assertNoErrors(page);
});

test("lookups are tried in what is edited beside what is installed, with qualifiers and substitutes", async () => {
  await put("tried", {
    rows: [
      { crm: "Hold", erp: "ZHLD" },
      { crm: "Hold", erp: "DHLD", when: { country: "DE" } },
    ],
  });
  const page = await openGrid("tried");
  await page.getByLabel("Value", { exact: true }).fill("Hold");
  const result = (title: string) => page.locator(".mapping-results .note", { hasText: title });
  await result("In what is installed").getByText('"ZHLD"').waitFor();
  await page.getByLabel("Qualifier country").fill("DE");
  await result("In what is installed").getByText('"DHLD"').waitFor();
  await cell(page, "DHLD").click();
  await page.keyboard.type("NEW");
  await page.keyboard.press("Enter");
  await result("In what you edit").getByText('"NEW"').waitFor();
  await result("In what is installed").getByText('"DHLD"').waitFor();
  await page.getByLabel("Value", { exact: true }).fill("Nothing");
  await result("In what is installed").getByText("is not mapped").waitFor();
  await page.getByLabel("When it is not mapped").selectOption("passthrough");
  await result("In what is installed").getByText('"Nothing"').waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page);
});

test("options, rules, tests and fields without a form are shown, changed and kept", async () => {
  await put("options", { ...orderStatus, tests: [{ from: "crm", to: "erp", in: "New", out: "ZNEW" }] });
  const page = await openGrid("options");
  await page.getByRole("tab", { name: "Options" }).click();
  await page.getByText("labels", { exact: true }).waitFor();
  await assertAccessible(page);
  await page.getByLabel("Blanks at both ends do not count").check();
  await page.getByLabel("Default of rule 1").fill("=null");
  await page.getByLabel("Agency of erp").fill("SAP");
  await page.getByRole("tab", { name: "Tests" }).click();
  await page.getByText("Passed").waitFor();
  await page.getByLabel("Result, test 1").fill("other");
  await page.getByText("Failed", { exact: true }).waitFor();
  await page.getByText('gives "ZNEW", not "other"').first().waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/The mapping was not installed.*the test failed/).waitFor();
  await page.getByLabel("Result, test 1").fill("ZNEW");
  await page.getByText("Passed").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("options is installed").waitFor();
  assert.deepEqual(JSON.parse(await installed("options")), {
    ...orderStatus,
    columns: { crm: { agency: "SALESFORCE" }, erp: { agency: "SAP" } },
    match: { trim: true },
    lookups: [{ from: "crm", to: "erp", onMissing: "default", default: null }],
    tests: [{ from: "crm", to: "erp", in: "New", out: "ZNEW" }],
  });
  await page.getByRole("tab", { name: "JSON" }).click();
  const json = page.getByLabel("Document");
  await json.fill((await json.inputValue()).replace('"ZCLS"', '"ZEND"'));
  await page.getByRole("button", { name: "Take it over" }).click();
  await cell(page, "ZEND").waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page, /422/);
});

test("a mapping that somebody else has changed is never written over unseen", async () => {
  await put("shared", { rows: [{ a: "1", b: "2" }] });
  const page = await openGrid("shared");
  await cell(page, "1").first().waitFor();
  await page.keyboard.type("mine");
  await page.keyboard.press("Enter");
  await put("shared", { rows: [{ a: "theirs", b: "2" }] });
  await page.getByText("changed on the runtime").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".diff-line.removed", { hasText: "theirs" }).waitFor();
  await dialog.locator(".diff-line.added", { hasText: "mine" }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Go on editing" }).click();
  assert.match(await installed("shared"), /theirs/);
  await page.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Take the runtime's version" }).click();
  await cell(page, "theirs").waitFor();
  await page.locator(".grid").focus();
  await page.keyboard.press("Control+z");
  await cell(page, "mine").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("shared is installed").waitFor();
  assert.match(await installed("shared"), /mine/);
  await put("shared", { rows: [{ a: "followed", b: "2" }] });
  await cell(page, "followed").waitFor();
  stage.assertNoErrors(page, /412/);
});

test("CSV of a spreadsheet becomes a mapping, and a mapping CSV", async () => {
  const page = await stage.open("#/value-mappings");
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import CSV" }).click();
  await (await chosen).setFiles({
    name: "Länder Codes.csv",
    mimeType: "text/csv",
    buffer: Buffer.from('\ufeffiso;name;when.year\r\nDE;"Deutschland; Bund";\r\nFR;Frankreich;2026\r\n'),
  });
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 rows, 3 columns").waitFor();
  assert.equal(await dialog.getByLabel("Columns are separated by").inputValue(), ";");
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Go on" }).click();
  assert.equal(await dialog.getByLabel("Id").inputValue(), "l-nder-codes");
  await dialog.getByLabel("Id").fill("order-status");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("There is a value mapping order-status already.").waitFor();
  await dialog.getByLabel("Id").fill("countries");
  await dialog.getByRole("button", { name: "Create" }).click();
  await cell(page, "Deutschland; Bund").waitFor();
  assert.deepEqual(JSON.parse(await installed("countries")), {
    columns: ["iso", "name"],
    rows: [
      { iso: "DE", name: "Deutschland; Bund" },
      { iso: "FR", name: "Frankreich", when: { year: "2026" } },
    ],
  });
  const again = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Import CSV" }).click();
  await (await again).setFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from("iso,name\nAT,Austria\n") });
  await dialog.getByRole("button", { name: "Add its rows" }).click();
  await cell(page, "Austria").waitFor();
  const given = page.waitForEvent("download");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Export CSV (commas)" }).click();
  const file = await (await given).path();
  assert.equal(
    await readFile(file, "utf8"),
    "iso,name,when.year\r\nDE,Deutschland; Bund,\r\nFR,Frankreich,2026\r\nAT,Austria,\r\n",
  );
  stage.assertNoErrors(page, /412/);
});

test("mappings are made, duplicated, and deleted once the question is answered; one in use names its users", async () => {
  const page = await stage.open("#/value-mappings");
  await page.getByRole("button", { name: "New mapping" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Id").fill("made");
  await dialog.getByLabel("Columns").fill("shop, stock");
  await assertAccessible(page);
  await page.keyboard.press("Enter");
  await page.locator(".grid-title", { hasText: "stock" }).waitFor();
  await page.locator(".grid").focus();
  await page.keyboard.type("a");
  await page.keyboard.press("Tab");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+s");
  await page.getByText("made is installed").waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await page.waitForURL(/value-mappings\/made-copy/);
  assert.equal(await installed("made-copy"), await installed("made"));
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("made-copy is deleted.").waitFor();
  await page.waitForURL(/#\/value-mappings$/);

  await page.getByRole("button", { name: "Actions of order-status" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("order-status is in use").waitFor();
  await dialog.getByText("route orders, step translate").waitFor();
  await assertAccessible(page);
  await dialog.getByRole("link", { name: "orders" }).click();
  await page.waitForURL(/#\/flows\/orders/);
  assert.equal((await stage.runtime.api("/value-mappings/order-status")).status, 200);
  stage.assertNoErrors(page, /409/);
});

test("a table of 20 000 rows is drawn by its visible part, and edited at its end", async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ crm: `value ${at}`, erp: `code ${at}` }));
  assert.equal((await put("large", { rows })).status, 201);
  const page = await openGrid("large");
  await cell(page, "value 0").first().waitFor();
  await page.locator(".grid-title-text", { hasText: "erp" }).click();
  await page.getByText("20001 × 1 selected").waitFor();
  await cell(page, "value 0").first().waitFor();
  assert.equal(await page.locator(".grid").evaluate(({ scrollTop }) => scrollTop), 0, "a whole column moves nothing");
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await cell(page, "code 19999").waitFor();
  const drawn = await page.locator(".grid-row").count();
  assert.ok(drawn < 100, `${drawn} rows are drawn`);
  await page.keyboard.type("last");
  await page.keyboard.press("Enter");
  await page.getByLabel("Find in the table").fill("code 12345");
  await page.keyboard.press("Enter");
  await page.locator(".grid-cell.active", { hasText: "code 12345" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("large is installed").waitFor();
  assert.equal(JSON.parse(await installed("large")).rows[19_999].erp, "last");
  stage.assertNoErrors(page);
});

test("the keyboard alone enters the table and leaves it; what is typed there is no shortcut of the page", async () => {
  const page = await openGrid("team-a.codes");
  await cell(page, "Germany").waitFor();
  await page.keyboard.type("?gf");
  await page.keyboard.press("Enter");
  await cell(page, "?gf").waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "grid");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement?.className), "grid");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Leave the table").waitFor();
  stage.assertNoErrors(page);
});
