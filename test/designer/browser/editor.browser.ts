/** A flow is opened, edited by keyboard, form and YAML, and saved. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessible.ts";
import { holdTime, passTime } from "./support/clock.ts";
import { openStage } from "./support/stage.ts";

const orders = `# Orders come in here
- onException:
    id: oops
    exception: [java.io.IOException]
    handled: { constant: "true" }
    steps:
      - setBody: { constant: sorry }
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - log: { id: first, message: "order \${body}" } # a comment
        - choice:
            id: way
            when:
              - simple: "\${body[total]} > 100"
                steps:
                  - to: { id: call, uri: "direct:store" }
            otherwise:
              steps:
                - log: { id: small, message: small }
- route:
    id: store
    from:
      uri: direct:store
      steps:
        - log: { id: stored, message: stored }
`;
const stage = await openStage({ files: { "orders.yaml": orders, "other.yaml": orders.replaceAll("orders", "other") } });
after(() => stage.close());

/** Ids of the selected nodes, or their keys. */
function selected(page: Page): Promise<string[]> {
  return page
    .locator('.node[aria-pressed="true"]')
    .evaluateAll((nodes) =>
      nodes.map((node) => (node as HTMLElement).dataset["id"] ?? (node as HTMLElement).dataset["key"] ?? ""),
    );
}

async function openFlow(id: string, query = ""): Promise<Page> {
  const page = await stage.open(`#/flows/${id}${query}`);
  await page.locator(".canvas .node").first().waitFor();
  return page;
}

test("by keyboard alone: a step is added, filled in, moved, taken back, copied, deleted and saved", async () => {
  const page = await openFlow("orders");
  await holdTime(page);
  await page.locator('[data-id="first"]').focus();
  await page.keyboard.press("Home");
  await page.locator('[data-id="first"]').click();
  await page.keyboard.press("a");
  await page.locator(".picker-entry").first().waitFor();
  await page.keyboard.type("set bo");
  await page.keyboard.press("Enter");
  await page.locator('.node[data-id="setBody-1"][aria-pressed="true"]').waitFor();
  await page.keyboard.press("F2");
  await page.locator("#editor-form .expression select:focus").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Hello ${body}");
  await page.locator('[data-id="setBody-1"]', { hasText: "Hello ${body}" }).waitFor();
  await page.locator('[data-id="setBody-1"]').focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.locator('.steps > li:first-child > [data-id="setBody-1"]').waitFor();
  await page.keyboard.press("Control+z");
  await page.locator('.steps > li:nth-child(2) > [data-id="setBody-1"]').waitFor();
  await page.keyboard.press("Control+z");
  await page.locator('[data-id="setBody-1"]', { hasText: "Hello" }).waitFor({ state: "detached" });
  await page.keyboard.press("Control+Shift+Z");
  await page.locator('[data-id="setBody-1"]', { hasText: "Hello" }).waitFor();
  await page.keyboard.press("Control+d");
  await page.locator('[data-id="setBody-2"]').waitFor();
  await page.keyboard.press("Delete");
  await page.locator('[data-id="setBody-2"]').waitFor({ state: "detached" });
  assert.deepEqual(await selected(page), ["way"]);
  await page.keyboard.press("Control+s");
  await page.getByText("is saved").waitFor();
  const added =
    "        - setBody:\n            id: setBody-1\n            expression:\n              simple:\n" +
    `                expression: "Hello \${body}"\n`;
  assert.equal(await stage.read("orders.yaml"), orders.replace("        - choice:", `${added}        - choice:`));
  stage.assertNoErrors(page);
});

test("the YAML and the drawing follow each other, and what the runtime refuses is marked on both", async () => {
  const page = await openFlow("other", "?panel=yaml");
  const text = page.locator(".cm-content");
  await text.locator(".cm-line", { hasText: "id: first" }).click();
  await page.locator('.node[data-id="first"][aria-pressed="true"]').waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("- frobnicate: { id: odd }");
  await page.locator('.node[data-id="odd"]').waitFor();
  await page.locator('.node.error[data-id="odd"]').waitFor();
  await page.getByText("unknown step 'frobnicate'").last().waitFor();
  await page.locator('[data-id="odd"]').click();
  await page.keyboard.press("Delete");
  await page.locator(".cm-line", { hasText: "frobnicate" }).waitFor({ state: "detached" });
  await page.getByText("No problem found.").waitFor();
  await text.locator(".cm-line", { hasText: "id: stored" }).click();
  await page.keyboard.type("{[");
  await page.getByText("not YAML").waitFor();
  assert.equal(await page.locator('[data-id="stored"]').count(), 1);
  await page.keyboard.press("Control+z");
  await page.getByText("not YAML").waitFor({ state: "detached" });
  stage.assertNoErrors(page);
});

test("a check that the runtime does not answer is reported, and asked for again", async () => {
  const page = await stage.open("#/flows/other?panel=yaml", { hasClock: true });
  await page.getByText("No problem found.").waitFor();
  await page.route("**/_api/flows/*/validate", (route) => route.abort());
  await page.locator(".cm-line", { hasText: "id: first" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" and more");
  await passTime(page, 1000);
  await page.getByText(/^Not checked: /).waitFor();
  assert.equal(await page.getByText("No problem found.").count(), 0);
  await page.unroute("**/_api/flows/*/validate");
  await passTime(page, 5000);
  await page.getByText("No problem found.").waitFor();
});

test("by mouse: steps are dragged into a branch, and copied into another flow", async () => {
  const page = await stage.open("#/flows/other", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator('[data-id="first"]').dragTo(page.locator("li:has(> [data-id=call]) > .gap"));
  await page.locator('.branch [data-id="first"]').waitFor();
  assert.deepEqual(await selected(page), ["first"]);
  await page.locator('[data-id="call"]').click({ modifiers: ["Control"] });
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+z");
  await page.locator('.route > .steps > li > [data-id="first"]').waitFor();
  await page.goto(`${stage.designer.url}/#/flows/orders`);
  await page.getByRole("heading", { name: "orders" }).waitFor();
  await page.locator('[data-id="stored"]').click();
  await page.keyboard.press("Control+v");
  await page.locator('[data-id="to-1"]').waitFor();
  assert.deepEqual(await selected(page), ["log-1", "to-1"]);
  await page.getByRole("button", { name: "→ store" }).first().click();
  assert.equal((await selected(page)).length, 1);
  stage.assertNoErrors(page);
});

test("a file that changed on the disk is shown as a diff, and is not written over unseen", async () => {
  const page = await openFlow("orders");
  await page.locator('[data-id="stored"]').click();
  await page.keyboard.press("Delete");
  const theirs = (await stage.read("orders.yaml")).replace("message: small", "message: tiny");
  await stage.write("orders.yaml", theirs);
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { name: "The file has changed on the disk" }).waitFor();
  await page.locator(".diff-line.removed", { hasText: "message: tiny" }).waitFor();
  assert.equal(await stage.read("orders.yaml"), theirs);
  await page.getByRole("button", { name: "Take the disk's version" }).click();
  await page.locator('[data-id="small"]', { hasText: "tiny" }).waitFor();
  await page.locator('[data-id="stored"]').waitFor();
  assert.equal(await page.getByText("not saved").count(), 0);
  stage.assertNoErrors(page, /412/);
});

test("a flow without unsaved changes follows its file", async () => {
  const page = await openFlow("orders");
  await stage.write("orders.yaml", (await stage.read("orders.yaml")).replace("message: stored", "message: kept"));
  await page.locator('[data-id="stored"]', { hasText: "kept" }).waitFor();
  await page.locator('[data-id="stored"]').click();
  await page.keyboard.press("Delete");
  await stage.write("orders.yaml", (await stage.read("orders.yaml")).replace("message: kept", "message: again"));
  await page.getByText("changed on the disk").waitFor();
  assert.equal(await page.locator('[data-id="stored"]').count(), 0);
  stage.assertNoErrors(page);
});

test("a form writes options where and as they are written, and leaves what it does not know", async () => {
  const before = `- onException:
    id: oops
    exception: [java.io.IOException, java.lang.Exception]
    handled: { constant: "true" } # why
- route:
    id: forms
    from:
      uri: timer:tick?period=5000
      parameters: { delay: 10 }
      steps:
        - marshal: { id: out, json: { prettyPrint: true }, frobs: 3 }
        - to: direct:other
        - choice:
            id: way
            when: [{ simple: "\${body} > 5", steps: [{ stop: {} }] }]
`;
  await stage.write("forms.yaml", before);
  const page = await openFlow("forms");
  const field = (label: string) =>
    page.locator("#editor-form .field", { has: page.locator("label", { hasText: label }) }).first();
  await page.locator('[data-id="oops"]').click();
  await field("Handled").locator("textarea").fill("");
  await field("Continued").locator("select").selectOption("jq");
  await field("Continued").locator("textarea").fill(".ok");
  await page.locator('.node[data-key="1/route/from"]').click();
  await field("Period").locator("input").fill("7000");
  await field("Delay").locator("input").fill("");
  await page.locator('[data-id="out"]').click();
  await page.getByText("frobs: 3").waitFor();
  await field("Data format").locator("select").selectOption("csv");
  await page.locator('.node[data-key$="steps/1"]').first().click();
  await field("Pattern").locator("select").selectOption("InOnly");
  await page.locator('.node[data-key$="when/0"]').click();
  await page.getByLabel("Expression").fill("${body} > 7");
  await page.keyboard.press("Control+s");
  await page.getByText("is saved").waitFor();
  const after = before
    .replace('    handled: { constant: "true" } # why\n', "")
    .replace("Exception]\n", "Exception]\n    continued:\n      jq:\n        expression: .ok\n")
    .replace("5000\n      parameters: { delay: 10 }", "7000")
    .replace("out, json: { prettyPrint: true }, frobs: 3", "out, frobs: 3, csv: {}")
    .replace("- to: direct:other", "- to:\n            uri: direct:other\n            pattern: InOnly")
    .replace("> 5", "> 7");
  assert.equal(await stage.read("forms.yaml"), after);
  stage.assertNoErrors(page);
});

test("settings of the flow are saved beside its YAML", async () => {
  const page = await openFlow("other", "?panel=options");
  await page.getByLabel("Name", { exact: true }).fill("Other orders");
  await page.getByLabel("Category").fill("sales");
  await page.getByRole("button", { name: "Add a parameter" }).click();
  await page.getByLabel("Name of parameter 1").fill("region");
  await page.getByLabel("Value of region").fill("12");
  await page.getByLabel("Record").selectOption("errors");
  await page.getByLabel("Add a limit").selectOption("aggregateGroups");
  await page.getByLabel("aggregateGroups", { exact: true }).fill("5000");
  await page.getByLabel("Access policy").fill("public: [");
  await page.getByText("This is not YAML").waitFor();
  await page.getByLabel("Access policy").fill("public: true");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Other orders" }).waitFor();
  assert.equal(
    await stage.read("other.flow.yaml"),
    "description: Other orders\ncategory: sales\nparams:\n  region: 12\nrecord: errors\nlimits:\n  aggregateGroups: 5000\npolicy:\n  public: true\n",
  );
  assert.equal(await page.getByText("not saved").count(), 0);
  await assertAccessible(page);
  stage.assertNoErrors(page);
});
