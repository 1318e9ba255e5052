/** Event streams of a browser with many tabs, which have one connection together. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { eventually } from "../../support/clock.ts";
import { startWire } from "../server/support/wire.ts";
import { logIn, openStage, type Stage } from "./support/stage.ts";

const flows = ["one", "two"];
const stage = await openStage({ files: Object.fromEntries(flows.map((id) => [`${id}.yaml`, logging(id)])) });
const ends: (() => void)[] = [() => stage.close()];
after(async () => {
  for (const end of ends) await end();
});
const wire = await startWire({ after: (end) => void ends.unshift(end) }, stage.designer.url);
for (const id of flows) assert.equal((await stage.runtime.put(id, logging(id))).status, 201);

/** A flow that logs each body that it gets. */
function logging(id: string): string {
  return `- route:\n    id: ${id}\n    from:\n      uri: webhook\n      steps:\n        - log: { id: say, message: "\${body}" }\n`;
}

async function openLive(context: BrowserContext, id: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${wire.url}/#/flows/${id}?panel=live`);
  await page.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  return page;
}

/** What the flow has said, as the page shows it, the newest first. */
function said(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".tail li")]
      .filter((line) => line.querySelector(".tail-step") !== null)
      .map((line) => /body-\d+/.exec(line.textContent ?? "")?.[0] ?? ""),
  );
}

async function waitForLines(page: Page, lines: readonly string[]): Promise<void> {
  await page.bringToFront();
  await eventually(async () => (await said(page)).join() === lines.join(), `the page has the lines ${lines}`);
}

async function subscribers({ runtime }: Stage = stage): Promise<number> {
  const text = await (await runtime.api("/metrics")).text();
  return [...text.matchAll(/^bulkhead_stream_subscribers\{stream="\w+"\} (\d+)$/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
}

test("eight tabs are live, the server still answers, and a cut, a crash and the end of all are survived", async () => {
  const first = await stage.open("#/flows");
  const context = first.context();
  await first.close();
  const tabs: Page[] = [];
  // The first tab is the one that has started the shared worker.
  for (let n = 0; n < 8; n += 1) tabs.push(await openLive(context, flows[n % 2] as string));
  // A trace and a log of each flow, whatever the number of tabs.
  await eventually(async () => (await subscribers()) === 4, "each is open once");
  for (const id of flows) await stage.runtime.post(`/api/${id}`, "body-1");
  for (const tab of tabs) await waitForLines(tab, ["body-1"]);
  const session = await tabs[7]?.evaluate(async () => (await fetch("/designer/session")).status);
  assert.equal(session, 200);

  wire.cut();
  await tabs[1]?.locator(".watch-panel .chip", { hasText: "Live" }).waitFor({ state: "detached" });
  for (const id of flows) await stage.runtime.post(`/api/${id}`, "body-2");
  await eventually(async () => (await subscribers()) === 4, "the streams are open again");
  for (const id of flows) await stage.runtime.post(`/api/${id}`, "body-3");
  for (const tab of tabs) await waitForLines(tab, ["body-3", "body-2", "body-1"]);

  // A late tab begins with the last lines.
  tabs.push(await openLive(context, "one"));
  await waitForLines(tabs[8] as Page, ["body-3", "body-2", "body-1"]);

  const crashed = tabs[0]?.waitForEvent("crash");
  await tabs[0]?.goto("chrome://crash").catch(() => undefined);
  await crashed;
  for (const tab of tabs.slice(1)) await tab.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  for (const id of flows) await stage.runtime.post(`/api/${id}`, "body-4");
  for (const tab of tabs.slice(1)) {
    await tab.bringToFront();
    await eventually(async () => (await said(tab))[0] === "body-4", "the tab goes on");
  }

  for (const tab of tabs.slice(1).filter((_, n) => n % 2 === 0)) await tab.close();
  await tabs[8]?.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  await eventually(async () => (await subscribers()) === 2, "what no tab follows is closed");
  await context.close();
  await eventually(async () => (await subscribers()) === 0, "the last one is closed");
});

test("a logout in one tab ends the streams of all; who logs in again goes on", async () => {
  const guarded = await openStage({ files: { "one.yaml": logging("one") }, hasLogin: true });
  ends.unshift(() => guarded.close());
  assert.equal((await guarded.runtime.put("one", logging("one"))).status, 201);
  const live = ".watch-panel .chip";
  const one = await guarded.open("#/flows/one?panel=live");
  await logIn(one, "viewer");
  await one.locator(live, { hasText: "Live" }).waitFor();
  const two = await one.context().newPage();
  await two.goto(one.url());
  await two.locator(live, { hasText: "Live" }).waitFor();
  await eventually(async () => (await subscribers(guarded)) === 2, "each is open once");

  await one.locator(".user-button").click();
  await one.getByRole("menuitem", { name: "Log out" }).click();
  await eventually(async () => (await subscribers(guarded)) === 0, "the streams are closed");
  await two.getByLabel("Password").waitFor();
  await logIn(two, "editor");
  await two.locator(live, { hasText: "Live" }).waitFor();
  await guarded.runtime.post("/api/one", "body-1");
  await waitForLines(two, ["body-1"]);
  await one.context().close();
});
