/** What a flow does is seen beside its drawing: messages that are tried, its runs, its events, its tests. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { parse } from "yaml";
import { assertAccessible } from "./support/accessible.ts";
import { openStage } from "./support/stage.ts";

const shop = `- route:
    id: shop
    from:
      uri: webhook
      steps:
        - setHeader: { id: mark, name: X-Total, expression: { simple: "\${body[total]}" } }
        - choice:
            id: way
            when:
              - simple: "\${header.X-Total} > 100"
                steps:
                  - to: { id: call, uri: "http://127.0.0.1:1/large" }
            otherwise:
              steps:
                - log: { message: small }
        - setBody: { id: done, expression: { constant: thanks } }
`;
const stage = await openStage({ files: { "shop.yaml": shop } });
after(() => stage.close());
assert.equal((await stage.runtime.put("shop", shop, { record: "all" })).status, 201);

async function openPanel(panel: string): Promise<Page> {
  const page = await stage.open(`#/flows/shop?panel=${panel}`);
  await page.locator(".canvas .node").first().waitFor();
  return page;
}

test("a message is tried, by keyboard: the answer, each step's message, and the drawing show what became of it", async () => {
  const page = await openPanel("try");
  await page.getByLabel("Body").fill('{"total": 5}');
  await page.getByLabel("Headers").fill("X-Who: me");
  await page.getByLabel("Body").press("Control+Enter");
  await page.locator(".watch-panel .chip", { hasText: "HTTP 200" }).waitFor();
  await page.locator('.node.ok[data-id="done"] .badge').waitFor();
  await page.locator('.node.skipped[data-id="call"]').waitFor();
  // A step without an id has the one that the runtime has given it.
  await page.locator(".node.ok", { hasText: "small" }).waitFor();
  await page.getByRole("button", { name: "mark" }).last().click();
  await page.locator(".diff-line.added", { hasText: "X-Total: 5" }).waitFor();
  await assertAccessible(page);
  await page.getByRole("tab", { name: "Form" }).click();
  await page.locator(".node.ok").first().waitFor({ state: "detached" });
  stage.assertNoErrors(page);
});

test("a step that fails is marked, and its error stands at the step", async () => {
  const page = await openPanel("try");
  await page.getByLabel("Body").fill('{"total": 500}');
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator('.node.failed[data-id="call"]').waitFor();
  await page.locator(".step-item.failed .note.error").waitFor();
  await page.getByText("The run failed at step call").waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page);
});

test("a message is saved as an example, which a later visit offers", async () => {
  const page = await openPanel("try");
  await page.getByLabel("Body").fill('{"total": 7}');
  await page.getByLabel("Name of the example").fill("seven");
  await page.getByRole("button", { name: "Save example" }).click();
  await page.getByRole("button", { name: "Delete the example seven" }).waitFor();
  const later = await openPanel("try");
  await later.getByLabel("Saved example").selectOption("seven");
  assert.equal(await later.getByLabel("Body").inputValue(), '{"total": 7}');
  await later.getByRole("button", { name: "Delete the example seven" }).click();
  await later.getByText("No saved examples").waitFor({ state: "attached" });
  stage.assertNoErrors(page);
  stage.assertNoErrors(later);
});

test("an expression shows its value for the last message of its step while it is typed", async () => {
  await post(120);
  const page = await openPanel("form");
  await page.locator('[data-id="mark"]').click();
  const expression = page.locator(".expression textarea");
  const value = page.locator(".expression .value-note");
  assert.equal(await value.count(), 0);
  await expression.focus();
  await value.locator(".value-text", { hasText: /^120$/ }).waitFor();
  await expression.fill("${body[total]} of ${bodyy}");
  await value.locator(".field-error", { hasText: "Unknown function: bodyy" }).waitFor();
  await expression.fill("{{region}}");
  await value.filter({ hasText: "filled in when the flow is deployed" }).waitFor();
  await expression.fill("${variable.who}");
  await value.filter({ hasText: "Variables, properties and exceptions are not recorded" }).waitFor();
  // A branch has the message of its choice, and a condition is true or false.
  await page.locator('.node[data-key$="when/0"]').click();
  await expression.focus();
  await value.locator(".value-text", { hasText: /^true$/ }).waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page);
});

test("a run of the flow is shown on its drawing, at an address of its own", async () => {
  await stage.runtime.post("/api/shop", '{"total": 3}', { "content-type": "application/json" });
  const page = await openPanel("runs");
  await page.getByLabel("Runs of this flow").getByRole("button").first().click();
  await page.locator('.node.ok[data-id="done"]').waitFor();
  await page.waitForURL(/panel=runs&run=/);
  const again = await stage.open(new URL(page.url()).hash);
  await again.locator('.node.ok[data-id="done"]').waitFor();
  await page.getByRole("button", { name: "Other runs" }).click();
  await page.locator(".node.ok").first().waitFor({ state: "detached" });
  stage.assertNoErrors(page);
  stage.assertNoErrors(again);
});

function post(total: number): Promise<Response> {
  return stage.runtime.post("/api/shop", `{"total": ${total}}`, { "content-type": "application/json" });
}

async function openLive(): Promise<Page> {
  const page = await openPanel("live");
  await page.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  return page;
}

test("counts and failures of each step are on the drawing while the flow works; the log and the trace are filtered and paused", async () => {
  const page = await openLive();
  await Promise.all([post(1), post(2), post(500)]);
  await page.locator('[data-id="mark"] .badge', { hasText: /^3$/ }).waitFor();
  await page.locator('[data-id="call"] .badge.bad', { hasText: "1 failed" }).waitFor();
  await page.locator(".node", { hasText: "small" }).locator(".badge", { hasText: /^2$/ }).waitFor();
  await page
    .locator(".tail-text", { hasText: /^small$/ })
    .first()
    .waitFor();
  await page.getByLabel("Level").selectOption("ERROR");
  await page
    .locator(".tail-text", { hasText: /^small$/ })
    .first()
    .waitFor({ state: "detached" });
  await page.locator(".tail-text", { hasText: "run failed at step 'call'" }).first().waitFor();
  await assertAccessible(page);
  await page.getByRole("tab", { name: "Trace" }).click();
  await page.getByLabel("Events").selectOption("failures");
  await page.getByRole("button", { name: "Pause" }).click();
  const before = await page.locator(".tail li").count();
  await post(500);
  await page.locator('[data-id="call"] .badge.bad', { hasText: "2 failed" }).waitFor();
  await page.getByText(/^\d+ more since$/).waitFor();
  assert.equal(await page.locator(".tail li").count(), before);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.locator(".tail li").nth(before).waitFor();
  await page.locator(".tail-step", { hasText: "call" }).first().click();
  await page.locator('.node[data-id="call"][aria-pressed="true"]').waitFor();
  await page.getByRole("tab", { name: "Form" }).click();
  await page.locator(".badge").first().waitFor({ state: "detached" });
  stage.assertNoErrors(page);
});

test("one run is shown on its way", async () => {
  const page = await openLive();
  await page.getByLabel("On the drawing").selectOption("run");
  await post(500);
  await page.locator('.node.ok[data-id="mark"]').waitFor();
  await page.locator('.node.failed[data-id="call"]').waitFor();
  await page.getByText(/^Run \w+/).waitFor();
  stage.assertNoErrors(page);
});

test("thousands of events are counted or reported as dropped, and the page goes on", async () => {
  const page = await openLive();
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 20 }, () => post(1)));
  await post(500);
  await page.locator('[data-id="call"] .badge.bad').waitFor();
  const counted = Number(await page.locator('[data-id="mark"] .badge').first().textContent());
  if ((await page.getByText(/^dropped \d+$/).count()) === 0) assert.equal(counted, 401);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.locator(".badge").first().waitFor({ state: "detached" });
  stage.assertNoErrors(page);
});

test("a test is made of a tried message, mocked, run, mended and saved in the form that `bulkhead test` reads", async () => {
  const page = await openPanel("try");
  await page.getByLabel("Body").fill('{"total": 500}');
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Keep it as a test" }).click();
  await page.getByRole("tab", { name: "Tests" }).click();
  await page.locator('.node[data-id="call"]').click();
  await page.locator(".test-head .step-button").click();
  await page.getByLabel("Name of the test").fill("a large order");
  await page.getByLabel("Name of the test").blur();
  await page.getByRole("button", { name: "Mock call" }).click();
  await page.getByLabel("Body of mock 1").fill('{"ok": true}');
  await page.getByRole("button", { name: "Run a large order" }).click();
  await page.locator(".step-item.failed .note", { hasText: "expected 500, got 200" }).waitFor();
  assert.equal(await page.getByText("The runtime has another version").count(), 0);
  await page.locator('.node.ok[data-id="call"] .badge', { hasText: "1 test" }).waitFor();
  await page.getByText("They come to 4 of 5 steps.").waitFor();
  await page.getByText("No test comes to: log1.").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Expect what it answered" }).click();
  await page.getByRole("button", { name: "Run all" }).click();
  await page.getByText("1 of 1 tests passed").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("is saved").waitFor();
  assert.deepEqual(parse(await stage.read("shop.flow.yaml")), {
    tests: [
      {
        name: "a large order",
        post: { path: "/api/shop", method: "POST", body: { total: 500 } },
        mocks: [{ stepId: "call", respond: { body: { ok: true } } }],
        expect: { status: 200, body: "thanks" },
      },
    ],
  });
  stage.assertNoErrors(page);
});

test("a recorded run becomes a test, and the tests a file", async () => {
  await post(9);
  const page = await openPanel("runs");
  await page.getByLabel("Runs of this flow").getByRole("button").first().click();
  await page.getByRole("button", { name: "Make a test of this run" }).click();
  await page.getByText("is added. Save the flow").waitFor();
  await page.getByRole("tab", { name: "Tests" }).click();
  await page.getByRole("button", { name: "Run all" }).click();
  await page.getByText(/^(\d) of \1 tests passed$/).waitFor();
  await page.locator('.node[data-id="done"]').click();
  await page.locator(".test-head .step-button").last().click();
  await page.getByRole("button", { name: "Pin its last result" }).click();
  assert.equal(await page.getByRole("textbox", { name: "Body of mock 1" }).inputValue(), "thanks");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download test file" }).click(),
  ]);
  assert.equal(file.suggestedFilename(), "shop.tests.yaml");
  const { flow, tests } = parse(await readFile(await file.path(), "utf8"));
  assert.deepEqual([flow, tests.at(-1).invoke.body], ["shop", '{"total": 9}']);
  stage.assertNoErrors(page);
});
