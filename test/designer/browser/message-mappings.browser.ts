/** Message mappings are listed, made, mapped by mouse and by keyboard, tried while they are typed, saved and deleted. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { webhook } from "../../support/flows.ts";
import { assertAccessible } from "./support/accessible.ts";
import { openStage } from "./support/stage.ts";

const table = {
  rows: [
    { crm: "New", erp: "ZNEW" },
    { crm: "Done", erp: "ZCLS" },
  ],
};
const order = {
  name: "CRM order",
  note: "kept",
  source: { sample: { orderNo: "17", status: "New", name: "Ada", items: [{ sku: "anvil", quantity: "2" }] } },
  target: {
    schema: {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string" },
        status: { type: "string" },
        name: { type: "string" },
        lines: {
          type: "array",
          items: { type: "object", properties: { sku: { type: "string" }, qty: { type: "number" } } },
        },
      },
    },
  },
  rules: [{ target: "/id", expr: "orderNo", odd: true }],
};

const stage = await openStage();
after(() => stage.close());
const json = { "content-type": "application/json" };

async function put(path: string, document: unknown): Promise<void> {
  const body = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  const answer = await stage.runtime.api(path, { method: "PUT", headers: json, body });
  assert.ok(answer.ok, await answer.text());
}

async function documentOf(id: string): Promise<Readonly<Record<string, unknown>>> {
  return (await (await stage.runtime.api(`/message-mappings/${id}`)).json()) as Readonly<Record<string, unknown>>;
}

await put("/value-mappings/order-status", table);
await put("/message-mappings/crm-order", order);
await put("/message-mappings/team-a.note", { fields: { text: "$uppercase(text)" } });
const flow = await stage.runtime.put("orders", webhook("orders", "messageMapping: crm-order"), { record: "all" });
assert.equal(flow.status, 201);

const field = (page: Page, side: "source" | "target", key: string) => page.locator(`[data-${side}="${key}"]`);
const ruleFor = (page: Page, target: string) =>
  page.locator(".rule-row", { has: page.getByText(target, { exact: true }) });
const save = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator(".mapping-bar .chip", { hasText: "not saved" }).waitFor({ state: "detached" });
};

test("the list shows groups, rules and users, is searched, and leads to flows", async () => {
  const page = await stage.open("#/message-mappings");
  await page.getByRole("link", { name: "CRM order" }).waitFor();
  await page.getByRole("link", { name: "orders", exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("note");
  await page.getByText("1 of 2 mappings").waitFor();
  await page.getByLabel("Search message mappings").fill("");
  await page.getByLabel("Group", { exact: true }).selectOption("team-a");
  await page.getByRole("link", { name: "team-a.note" }).waitFor();
  await page.getByRole("link", { name: "CRM order" }).waitFor({ state: "detached" });
  stage.assertNoErrors(page);
});

test("fields are dragged onto fields: rules, loops and lines come of it, with their results at once", async () => {
  const page = await stage.open("#/message-mappings/crm-order");
  await ruleFor(page, "/id").getByText('"17"').waitFor();
  await field(page, "source", "/status").dragTo(field(page, "target", "/status"));
  await ruleFor(page, "/status").getByText('"New"').waitFor();
  await field(page, "source", "/items/sku").dragTo(field(page, "target", "/lines/sku"));
  await ruleFor(page, "/lines").getByText('[{"sku":"anvil"}]').waitFor();
  await field(page, "source", "/items/quantity").dragTo(field(page, "target", "/lines/qty"));
  // The schema asks for a number: the result does not fit it.
  await page.locator(".note.error", { hasText: "/lines/0/qty" }).waitFor();
  await page.locator(".rule.selected").getByLabel("Kind").first().selectOption("expression");
  await page.locator(".rule.selected").getByLabel("Expression", { exact: true }).first().fill("$number(quantity)");
  await page.locator(".output", { hasText: '"qty": 2' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".wires path").length === 10);
  await field(page, "source", "/name").dragTo(ruleFor(page, "/id"));
  await ruleFor(page, "/id").getByText('"Ada"').waitFor();
  await page.getByRole("button", { name: "Undo: Map /id" }).click();
  await ruleFor(page, "/id").getByText('"17"').waitFor();
  await assertAccessible(page);
  await save(page);
  assert.deepEqual(await documentOf("crm-order"), {
    ...order,
    rules: [
      ...order.rules,
      { target: "/status", expr: "status" },
      {
        target: "/lines",
        forEach: "items",
        rules: [
          { target: "/sku", expr: "sku" },
          { target: "/qty", expr: "$number(quantity)" },
        ],
      },
    ],
  });
  stage.assertNoErrors(page);
});

test("with the keyboard alone a field is chosen and mapped, rules are moved, duplicated, deleted, and taken back", async () => {
  await put("/message-mappings/crm-order", order);
  const page = await stage.open("#/message-mappings/crm-order");
  await ruleFor(page, "/id").getByText('"17"').waitFor();
  await field(page, "source", "").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("name is chosen").waitFor();
  await assertAccessible(page);
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await ruleFor(page, "/name").getByText('"Ada"').waitFor();
  await page.getByRole("button", { name: /^\/name/ }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.waitForFunction(() => document.querySelector(".rule-target")?.textContent === "/name");
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("/name"));
  await page.keyboard.press("Control+d");
  await page.locator(".rule.wrong", { hasText: "leave out one of the two" }).waitFor();
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll(".rule-head").length === 2);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(
    () => [...document.querySelectorAll(".rule-target")].map((one) => one.textContent).join() === "/id,/name",
  );
  await page.keyboard.press("Control+s");
  await page.getByText("crm-order is installed").waitFor();
  assert.deepEqual((await documentOf("crm-order"))["rules"], [...order.rules, { target: "/name", expr: "name" }]);
  stage.assertNoErrors(page);
});

test("a fault is shown at its rule, its field and its place while it is typed; the last result stays", async () => {
  await put("/message-mappings/crm-order", order);
  const page = await stage.open("#/message-mappings/crm-order?panel=text");
  await page.getByRole("button", { name: /^\/id/ }).click();
  await page.getByText("left as it is: odd").waitFor();
  await page.getByLabel("Kind").selectOption("expression");
  await page.getByLabel("Expression", { exact: true }).fill("$number(orderNo");
  await page.locator(".rule.wrong").waitFor();
  await page.locator(".field-error", { hasText: "column" }).waitFor();
  await page.locator(".fault mark").waitFor();
  await page.locator(".json-problems", { hasText: "/rules/0/expr" }).waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  await page.getByRole("tab", { name: "Result" }).click();
  await page.getByText("this is the result before them").waitFor();
  await page.locator(".output", { hasText: '"id": "17"' }).waitFor();
  await assertAccessible(page);
  await page.getByLabel("Expression", { exact: true }).fill("$number(orderNo) + 1");
  await ruleFor(page, "/id").getByText("18").waitFor();
  stage.assertNoErrors(page);
});

test("fields are also those of the schemas, and what is required is marked until a rule sets it", async () => {
  const source = {
    schema: { properties: { customer: { $ref: "#/$defs/c" } }, $defs: { c: { properties: { no: {} } } } },
  };
  const target = { ...order.target, sample: { id: "x", remark: "y" } };
  await put("/message-mappings/by-schema", { source, target, rules: [] });
  const page = await stage.open("#/message-mappings/by-schema");
  await field(page, "target", "/id").getByText("required").waitFor();
  await field(page, "target", "/remark").waitFor();
  await field(page, "source", "/customer/no").dragTo(field(page, "target", "/id"));
  await ruleFor(page, "/id").getByText("customer.no").waitFor();
  await field(page, "target", "/id").getByText("required").waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "Message" }).click();
  await page.getByLabel("Body").fill('{"customer": {"no": "x", "more": 1}}');
  await field(page, "source", "/customer/more").waitFor();
  await page.getByRole("tab", { name: "Result" }).click();
  await page.getByLabel("Compare with").selectOption("sample of the result");
  await page.locator(".diff-line.removed", { hasText: "remark" }).waitFor();
  stage.assertNoErrors(page);
});

test("lookups are picked from the value mappings of the runtime", async () => {
  await put("/message-mappings/crm-order", { ...order, rules: [{ target: "/status", expr: "status" }] });
  const page = await stage.open("#/message-mappings/crm-order");
  await page.getByRole("button", { name: /^\/status/ }).click();
  await page.getByLabel("Kind").selectOption("lookup");
  await page.getByLabel("Value mapping").selectOption("order-status");
  await ruleFor(page, "/status").getByText('"ZNEW"').waitFor();
  await page.getByLabel("From").selectOption("erp");
  await page.getByLabel("To", { exact: true }).selectOption("crm");
  await page.locator(".rule-value.wrong", { hasText: "order-status" }).waitFor();
  await assertAccessible(page);
  await page.getByLabel("Kind").selectOption("constant");
  await page.getByLabel("Value", { exact: true }).fill("it's");
  await ruleFor(page, "/status").getByText('"it\'s"').waitFor();
  stage.assertNoErrors(page);
});

test("fields of equal names are offered and mapped together, and one undo takes them back", async () => {
  await put("/message-mappings/crm-order", { ...order, rules: [] });
  const page = await stage.open("#/message-mappings/crm-order");
  await page.getByText("There are no rules yet").waitFor();
  await page.getByRole("button", { name: "Map equal names" }).click();
  await page.getByLabel("/status from status").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Make 2 rules" }).click();
  await ruleFor(page, "/name").getByText('"Ada"').waitFor();
  await page.getByRole("button", { name: "Undo: Map equal names" }).click();
  await page.getByText("There are no rules yet").waitFor();
  stage.assertNoErrors(page);
});

test("the text and the rules are two sides of one document", async () => {
  await put("/message-mappings/crm-order", order);
  const page = await stage.open("#/message-mappings/crm-order?panel=text");
  const text = page.getByLabel("JSON of the mapping");
  await text.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(
    '{"rules": [{"target": "/typed", "expr": "name"}], "source": {"sample": {"name": "Eve"}}',
  );
  await page.locator(".mapping-bar .chip", { hasText: "not JSON" }).waitFor();
  await page.keyboard.press("End");
  await page.keyboard.insertText("}");
  await ruleFor(page, "/typed").waitFor();
  await page.getByRole("button", { name: /^\/typed/ }).click();
  await page.getByText("Condition, default and names").click();
  await page.getByLabel("Default").fill("12345678901234567890");
  await page.locator(".cm-content", { hasText: '"default": 12345678901234567890' }).waitFor();
  await page.getByLabel("Default").fill("no json");
  await page.getByText("This is not JSON. A text").waitFor();
  stage.assertNoErrors(page);
});

test("a message is typed, kept as sample and as a test; a result that differs is shown line by line", async () => {
  await put("/message-mappings/crm-order", { ...order, source: undefined });
  const page = await stage.open("#/message-mappings/crm-order?panel=message");
  await page.getByLabel("Body").fill("{");
  await page.getByText("This is not JSON.").waitFor();
  await page.getByLabel("Body").fill('{"orderNo": "42", "extra": {"deep": 1}}');
  await field(page, "source", "/extra/deep").waitFor();
  await ruleFor(page, "/id").getByText('"42"').waitFor();
  await page.getByRole("button", { name: "Keep as sample" }).click();
  await page.getByRole("tab", { name: "Tests" }).click();
  await page.getByRole("button", { name: "Add a test of the message" }).click();
  await page.getByText("1 of 1 tests pass.").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: /^\/id/ }).click();
  await page.getByLabel("Kind").selectOption("expression");
  await page.getByLabel("Expression", { exact: true }).fill("orderNo & '!'");
  await page.locator(".test-problem", { hasText: "42!" }).waitFor();
  await page.getByRole("tab", { name: "Result" }).click();
  await page.locator(".diff-line.added", { hasText: "42!" }).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator(".toast.error", { hasText: "test 1" }).waitFor();
  await page.getByLabel("Expression", { exact: true }).fill("orderNo");
  await page.getByText("The result is as expected.").waitFor();
  await save(page);
  const { tests, source } = await documentOf("crm-order");
  const input = { orderNo: "42", extra: { deep: 1 } };
  assert.deepEqual([source, tests], [{ sample: input }, [{ name: "test 1", input, expect: { id: "42" } }]]);
  stage.assertNoErrors(page, /422/);
});

test("the message of a recorded run is taken", async () => {
  await put("/message-mappings/crm-order", order);
  await stage.runtime.post("/api/orders", '{"orderNo": "from a run"}', json);
  const page = await stage.open("#/message-mappings/crm-order?panel=message");
  await page.getByRole("button", { name: "From a run" }).click();
  await page.getByRole("button", { name: "Take it" }).first().waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Take it" }).first().click();
  await ruleFor(page, "/id").getByText('"from a run"').waitFor();
  stage.assertNoErrors(page);
});

test("XML is read by the runtime, and its elements and attributes are fields", async () => {
  const xml = '<order id="7"><line>a</line><line>b</line></order>';
  await put("/message-mappings/from-xml", { source: { format: "xml", sample: xml }, rules: [] });
  const page = await stage.open("#/message-mappings/from-xml");
  await field(page, "source", "/order/@id").dragTo(field(page, "target", ""));
  await page.locator(".output", { hasText: '"@id": "7"' }).waitFor();
  await field(page, "source", "/order/line").waitFor();
  stage.assertNoErrors(page);
});

test("a short form is mapped as it is, and written as rules with one click", async () => {
  const page = await stage.open("#/message-mappings/team-a.note?panel=message");
  await page.getByLabel("Body").fill('{"text": "hello"}');
  await ruleFor(page, "text").getByText('"HELLO"').waitFor();
  await page.getByRole("button", { name: "Write as rules", exact: true }).click();
  await page.getByRole("button", { name: "Write as rules", exact: true }).waitFor({ state: "detached" });
  await save(page);
  assert.deepEqual(await documentOf("team-a.note"), { rules: [{ target: "text", expr: "$uppercase(text)" }] });
  stage.assertNoErrors(page);
});

test("what somebody else has saved meanwhile is shown, and written over only when that is chosen", async () => {
  await put("/message-mappings/crm-order", order);
  const page = await stage.open("#/message-mappings/crm-order?panel=settings");
  await page.getByLabel("Name", { exact: true }).fill("Mine");
  await put("/message-mappings/crm-order", { ...order, name: "Theirs" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".diff-line.removed", { hasText: "Theirs" }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Go on editing" }).click();
  assert.equal((await documentOf("crm-order"))["name"], "Theirs");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog.getByRole("button", { name: "Write mine over it" }).click();
  await page.getByText("crm-order is installed").first().waitFor();
  assert.equal((await documentOf("crm-order"))["name"], "Mine");
  stage.assertNoErrors(page, /412/);
});

test("a mapping is made, duplicated and deleted; one in use says by whom and stays", async () => {
  const page = await stage.open("#/message-mappings");
  await page.getByRole("button", { name: "New mapping" }).click();
  await page.getByLabel("Name").fill("Für Rechnungen");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("There are no rules yet").waitFor();
  const made = new URL(page.url()).hash.split("/").at(-1) ?? "";
  assert.equal((await documentOf(made))["name"], "Für Rechnungen");
  await page.getByRole("button", { name: "Actions of Für Rechnungen" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await page.getByLabel("Name").fill("CRM order");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("There is a mapping crm-order already").waitFor();
  await page.getByRole("dialog").getByLabel(/^Id/).fill("copied");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/message-mappings\/copied/);
  await page.getByRole("button", { name: "Actions of CRM order" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("copied is deleted.").waitFor();
  await page.goto(`${stage.designer.url}/#/message-mappings/crm-order`);
  await page
    .locator(".mapping-bar")
    .getByRole("button", { name: /^Actions of/ })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByText("crm-order is in use").waitFor();
  await page.getByRole("dialog").getByRole("link", { name: "orders" }).waitFor();
  await assertAccessible(page);
  assert.ok(await documentOf("crm-order"));
  stage.assertNoErrors(page, /409|412/);
});

test("on a phone the rules and their results are readable, and fields are mapped by touching one after the other", async () => {
  await put("/message-mappings/crm-order", order);
  const page = await stage.open("#/message-mappings/crm-order", {
    viewport: { width: 390, height: 800 },
    hasTouch: true,
  });
  await ruleFor(page, "/id").getByText('"17"').waitFor();
  await field(page, "source", "/name").tap();
  await field(page, "target", "/name").tap();
  await ruleFor(page, "/name").getByText('"Ada"').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `the page is ${width} px wide`);
  stage.assertNoErrors(page);
});
