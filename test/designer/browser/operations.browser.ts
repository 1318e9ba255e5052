/** Operators see how a runtime does and what its flows use, forget kept keys, change policies, and read the audit log. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { webhook } from "../../support/flows.ts";
import { assertAccessible } from "./support/accessible.ts";
import { holdTime, passTime } from "./support/clock.ts";
import { choose } from "./support/palette.ts";
import { openStage } from "./support/stage.ts";

const stage = await openStage({
  files: { "orders.yaml": webhook("orders", "log: { id: write, message: x }") },
  runtime: { audit: {}, limits: { quarantineKills: 1 } },
});
after(() => stage.close());
const { runtime } = stage;

async function deploy(id: string, yaml: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const answer = await runtime.put(id, yaml, more);
  assert.ok(answer.ok, await answer.text());
}

const json = { "Content-Type": "application/json" };
const timer = webhook("clock", "log: tick").replace("uri: webhook", "uri: timer:clock?delay=1h");
await deploy("orders", webhook("orders", "log: { id: write, message: x }"));
await deploy("keeps", webhook("keeps", "idempotentConsumer: { id: seen, header: id, steps: [] }"));
await deploy("clock", timer);
assert.equal((await runtime.put("broken", "- nonsense: {}")).status, 422);

async function openPart(part: string, options = {}): Promise<Page> {
  const page = await stage.open(`#/operations?tab=${part}`, options);
  await page.getByRole("tab", { selected: true }).waitFor();
  return page;
}

test("a flow in quarantine is shown with since when, the limit it passed and what to do, and an operator starts it", async () => {
  const burn = webhook("burn", 'script: { id: burn, expression: { js: "for(;;){}" } }');
  await deploy("burn", burn, { limits: { runCpuMs: 200, stuckLoopMs: 300 } });
  await runtime.post("/api/burn", "x");
  const page = await openPart("health");
  const note = page.locator(".note", { hasText: "Quarantined: burn" });
  await note.getByText(/In quarantine since/).waitFor();
  await note.getByText(/It passed the limit (?:runCpuMs|stuckLoopMs)/).waitFor();
  await note.getByText(/It is tried again at/).waitFor();
  await note.getByText(/Mend what the last kill names and deploy/).waitFor();
  await assertAccessible(page);
  await note.getByRole("button", { name: "Start it now" }).click();
  await note.waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "Limits" }).click();
  await page.getByRole("cell", { name: /Thread killed/ }).waitFor();
  await page.getByText(/(?:cpu_limit|stuck_loop): run \S+ did not stop|it used CPU time/).waitFor();
  await page.getByLabel("Find a limit").fill("quarantineMs");
  await page.getByRole("cell", { name: "LIMIT_QUARANTINE_MS" }).waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page);
});

test("health lists timers and sources with their states, and all routes when they are wanted", async () => {
  const page = await openPart("health");
  const table = page.getByRole("table", { name: "Timers and sources" });
  await table.getByRole("row", { name: /clock.*timer:clock.*Started/ }).waitFor();
  assert.equal(await table.getByRole("row", { name: /orders/ }).count(), 0);
  await page.getByLabel(/Show all \d routes/).check();
  await table.getByRole("row", { name: /orders.*callers.*Started/ }).waitFor();
  await page.getByText("All flows are loaded").waitFor();
  stage.assertNoErrors(page);
});

test("usage is plotted over time, with a table behind each plot, and has its cost by given prices", async () => {
  const page = await openPart("usage", { hasClock: true });
  const plot = page.locator(".plot", { hasText: "Runs a minute" });
  // Two samples make a line, and a rate needs one before.
  for (let count = 0; count < 2; count += 1) await passTime(page, 5000);
  await plot.getByRole("img").waitFor();
  for (let count = 0; count < 5; count += 1) await runtime.post("/api/orders", "x");
  await passTime(page, 5000);
  await plot.locator(".plot-legend li", { hasText: "orders" }).filter({ hasNotText: "0.0/min" }).waitFor();
  await plot.getByText("Values").click();
  await plot.getByRole("columnheader", { name: "orders" }).waitFor();
  await plot.getByRole("rowheader").nth(1).waitFor();
  await assertAccessible(page);
  await page.getByLabel("Flow", { exact: true }).selectOption("keeps");
  await plot.getByRole("columnheader", { name: "orders" }).waitFor({ state: "detached" });
  const used = page.getByRole("table", { name: "Used in a period" });
  await used.getByRole("row", { name: /orders/ }).waitFor();
  assert.equal(await used.getByRole("columnheader", { name: "Cost" }).count(), 0);
  await page.getByLabel("Price of a CPU hour").fill("1000");
  await used.getByRole("columnheader", { name: "Cost" }).waitFor();
  await page.getByLabel("Period", { exact: true }).selectOption("15m");
  await used.getByRole("row", { name: /orders/ }).waitFor();
  stage.assertNoErrors(page);
});

test("the figures of the process are plotted", async () => {
  const page = await openPart("process", { hasClock: true });
  await passTime(page, 5000);
  for (const title of ["Memory", "Delay of the main loop", "CPU", "Threads", "Open files and sockets"])
    await page.locator("figcaption", { hasText: title }).waitFor();
  await page.getByRole("img", { name: /^Memory over time.*resident \d+/ }).waitFor();
  await assertAccessible(page);
  stage.assertNoErrors(page);
});

test("a key that a flow keeps is forgotten once the question is answered, then all of them", async () => {
  for (const id of ["anvil-1", "anvil-2", "rocket"]) await runtime.post("/api/keeps", "x", { id });
  const page = await openPart("state");
  await page.getByLabel("Flow", { exact: true }).selectOption("keeps");
  await page.getByRole("button", { name: "seen" }).click();
  await page.waitForURL(/flow=keeps&name=seen/);
  await page.getByLabel("Beginning of keys").fill("anvil");
  await page.getByRole("cell", { name: "rocket" }).waitFor({ state: "detached" });
  await assertAccessible(page);
  await page.getByRole("button", { name: "Forget anvil-1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await page.getByRole("cell", { name: "anvil-1", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "anvil-2", exact: true }).waitFor();
  await page.getByRole("button", { name: "Forget all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget all" }).click();
  await page.getByText("No key begins so.").waitFor();
  assert.deepEqual(await (await runtime.api("/flows/keeps/state/seen")).json(), []);
  stage.assertNoErrors(page);
});

test("a policy is installed, asked who could call, replaced and deleted", async () => {
  const page = await openPart("access");
  await page.getByRole("row", { name: /orders none/ }).waitFor();
  await page.getByRole("button", { name: "orders" }).click();
  await page.getByText("whoever reaches the runtime may call it").waitFor();
  await page.getByLabel("Policy").fill("- no map");
  await page.getByText("A policy is a map such as public: true.").waitFor();
  const document = `principals: { shop: { type: apiKey, sha256: ${"a".repeat(64)}, roles: [sender] } }\n`;
  await page.getByLabel("Policy").fill(`${document}rules: [{ allow: [invoke], roles: [sender], methods: [POST] }]\n`);
  await page.getByRole("button", { name: "Install" }).click();
  await page.getByRole("row", { name: /orders enforced shop/ }).waitFor();
  assert.equal((await runtime.post("/api/orders", "x")).status, 401);
  const question = page.getByRole("form", { name: "Who could call this?" });
  await question.getByLabel("Caller").fill("shop");
  await question.getByRole("button", { name: "Ask the policy" }).click();
  await question.getByText("Allowed").waitFor();
  await assertAccessible(page);
  await question.getByLabel("Method").selectOption("GET");
  await question.getByLabel("Caller").press("Enter");
  await question.getByText("Denied").waitFor();
  await stage.runtime.api("/auth/orders", { method: "PUT", headers: json, body: '{"public": true}' });
  await page.getByLabel("Policy").fill("public: false\n");
  await page.getByText("Somebody else has changed the policy").waitFor();
  await page.getByRole("button", { name: "Take the policy as it is now" }).click();
  assert.equal(await page.getByLabel("Policy").inputValue(), "public: true\n");
  await page.getByLabel("Policy").fill(`${document}mode: report\nrules: [{ allow: [invoke], roles: [sender] }]\n`);
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByRole("row", { name: /orders reports only/ }).waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("row", { name: /orders none/ }).waitFor();
  assert.equal((await runtime.post("/api/orders", "x")).status, 200);
  stage.assertNoErrors(page);
});

test("the audit log is read page by page, filtered in the address, and names the person", async () => {
  for (let count = 0; count < 120; count += 1) await (await runtime.api("/flows/nobody", { method: "DELETE" })).text();
  const page = await openPart("audit");
  await page.locator("tbody tr").nth(99).waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Show earlier lines" }).click();
  await page.locator("tbody tr").nth(110).waitFor();
  await page.getByLabel("Outcome").selectOption("succeeded");
  await page.getByRole("cell", { name: "404 not_found" }).first().waitFor({ state: "detached" });
  await page.getByLabel("Flow, mapping, run").fill("orders");
  await page.getByLabel("Flow, mapping, run").press("Enter");
  await page.getByRole("cell", { name: /keeps/ }).first().waitFor({ state: "detached" });
  // The policies of the test before were written from the designer.
  await page.getByLabel("Action").selectOption("policies.write");
  await page
    .getByRole("row", { name: /local.*Access policy changed.*orders/ })
    .first()
    .waitFor();
  await page.waitForURL(/tab=audit&resource=orders&action=policies.write&outcome=succeeded/);
  const again = await stage.open(new URL(page.url()).hash);
  await again
    .getByRole("row", { name: /Access policy changed/ })
    .first()
    .waitFor();
  await again.getByText("bulkhead audit verify").waitFor();
  stage.assertNoErrors(page);
  stage.assertNoErrors(again);
});

test("the command palette has flows, parts of this screen and colours, and goes there by keyboard", async () => {
  const page = await openPart("health");
  await choose(page, "audit", /Show operations: Audit log/);
  await page.waitForURL(/tab=audit/);
  await choose(page, "colours dark", /Colours: Dark/);
  await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" });
  await choose(page, "orders", /Open orders/);
  await page.waitForURL(/#\/flows\/orders/);
  await page.locator(".canvas .node").first().waitFor();
  await holdTime(page);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.waitForURL(/#\/operations/);
  stage.assertNoErrors(page);
});
