/** What flows and messages bring: text that looks like markup, two hundred steps, routes of every form, and the end of a flow. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { openStage } from "./support/stage.ts";

const markup = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
const evil = `- route:
    id: evil
    description: ${JSON.stringify(markup)}
    from:
      uri: webhook
      steps:
        - log: { id: note, message: "got \${body}" }
        - throwException: { id: fails, exceptionType: java.lang.Exception, message: ${JSON.stringify(markup)} }
`;
const long = `- route:
    id: long
    from:
      uri: webhook
      steps:
${Array.from({ length: 200 }, (_, n) => `        - log: { id: s${n + 1}, message: "step ${n + 1}" }`).join("\n")}
`;
const forms = `- onCompletion: { id: over, steps: [{ log: { id: done, message: done } }] }
- rest:
    path: /shop
    get: [{ id: list, path: /orders, to: "direct:orders" }]
- route:
    id: forms
    from:
      uri: direct:orders
      steps:
        - doTry:
            id: tries
            steps: [{ log: { id: tried, message: tried } }]
            doCatch: [{ exception: [java.lang.Exception], steps: [{ log: { id: caught, message: caught } }] }]
            doFinally: { steps: [{ log: { id: last, message: last } }] }
        - multicast:
            id: both
            steps:
              - to: { id: one, uri: "seda:one" }
              - to: { id: two, uri: "seda:one" }
- route:
    id: queue
    from: { uri: "seda:one", steps: [{ log: { id: queued, message: queued } }] }
`;
const stage = await openStage({
  files: {
    "evil.yaml": evil,
    "evil.flow.yaml": `description: ${JSON.stringify(markup)}\ncategory: ${JSON.stringify(markup)}\n`,
    "long.yaml": long,
    "forms.yaml": forms,
  },
});
after(() => stage.close());
assert.equal((await stage.runtime.put("evil", evil, { record: "all", keepFailed: "all" })).status, 201);
const failed = await stage.runtime.post("/api/evil", markup);
assert.equal(failed.status, 500);
const runId = failed.headers.get("x-run-id");

/** Whether the page has an element that only the markup would make, or has run its script. */
async function assertOnlyText(page: Page): Promise<void> {
  assert.equal(await page.locator("img[src='x']").count(), 0);
  assert.notEqual(await page.title(), "run");
}

for (const [where, hash] of [
  ["the list of flows", "#/flows"],
  ["the drawing and the form", "#/flows/evil"],
  ["the settings of a flow", "#/flows/evil?panel=options"],
  ["the steps of a run", `#/runs/${runId}`],
  ["a run on the drawing", `#/flows/evil?panel=runs&run=${runId}`],
] as const)
  test(`markup in names, descriptions, messages and errors is text in ${where}`, async () => {
    const page = await stage.open(hash);
    await page.getByText("<img src=x").filter({ visible: true }).first().waitFor();
    await assertOnlyText(page);
    stage.assertNoErrors(page);
  });

test("markup is text in the live log, too", async () => {
  const page = await stage.open("#/flows/evil?panel=live");
  await page.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  await stage.runtime.post("/api/evil", markup);
  await page.locator(".tail-text", { hasText: "got <img src=x" }).first().waitFor();
  await assertOnlyText(page);
  stage.assertNoErrors(page);
});

test("two hundred steps are drawn and reached by the keyboard, and an edit of the last one changes its line alone", async () => {
  const page = await stage.open("#/flows/long");
  await page.locator('.node[data-id="s200"]').waitFor();
  await page.locator('.node[data-id="s1"]').click();
  await page.keyboard.press("End");
  await page.locator('.node[data-id="s200"][aria-pressed="true"]').waitFor();
  await page.keyboard.press("Alt+ArrowUp");
  await page.locator('li:has(> .node[data-id="s200"]) + li > .node[data-id="s199"]').waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("is saved").waitFor();
  const lines = long.split("\n");
  const [last] = lines.splice(204, 1);
  lines.splice(203, 0, last as string);
  assert.equal(await stage.read("long.yaml"), lines.join("\n"));
  stage.assertNoErrors(page);
});

test("rest, doTry, multicast, onCompletion and several routes are drawn, with the calls between them", async () => {
  const page = await stage.open("#/flows/forms");
  for (const id of ["done", "tried", "caught", "last", "both", "one", "two", "queued"])
    await page.locator(`.node[data-id="${id}"]`).waitFor();
  await page.getByText("/orders").first().waitFor();
  await page.locator(".canvas a, .canvas button", { hasText: "queue" }).first().waitFor();
  stage.assertNoErrors(page);
});

test("a flow is deleted from the workspace once the question is answered, and from the runtime when that is chosen", async () => {
  const page = await stage.open("#/flows");
  await page.getByRole("button", { name: "Actions of forms", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("forms is deleted.").waitFor();
  await assert.rejects(stage.read("forms.yaml"), { code: "ENOENT" });
  await page
    .locator("tr", { hasText: "evil" })
    .getByRole("button", { name: /^Actions of / })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("checkbox").last().check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("evil is deleted.").waitFor();
  assert.equal((await stage.runtime.api("/flows/evil")).status, 404);
  stage.assertNoErrors(page);
});
