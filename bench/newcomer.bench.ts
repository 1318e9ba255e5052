/**
 * A first flow from nothing to an answered message in the designer, and the same in the editor of Node-RED: clicks, keys and drags,
 * the time that a keystroke-level model gives for them, and that of the pages without pauses.
 * `npm run bench -- newcomer [rounds]`; `--node-red-dir DIR`: where Node-RED is installed; without it only the designer is driven.
 * `CHROMIUM` names the browser's program. The page is built before: `npm run build -w designer`.
 */
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { settled } from "../test/designer/browser/support/settled.ts";
import { startTestDesigner } from "../test/designer/server/support/start-designer.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { Hands } from "./support/hands.ts";
import { makeFlowInDesigner } from "./support/newcomer-bulkhead.ts";
import { makeFlowInNodeRed } from "./support/newcomer-node-red.ts";
import { nodeRedDirectory, startNodeRed } from "./support/node-red.ts";
import { startRuntime, token } from "./support/server-process.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "node-red-dir": { type: "string", default: "" } },
});
const [rounds = 3] = positionals.map(Number);
const directory = values["node-red-dir"];
const root = resolve(import.meta.dirname, "..");
const browser: Browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
console.log(machine());
try {
  await measure("designer", inDesigner);
  if (directory !== "") await measure("node-red", inNodeRed);
} finally {
  await browser.close();
}

async function measure(editor: string, once: () => Promise<Measured>): Promise<void> {
  const all: Measured[] = [];
  for (let count = 0; count < rounds; count += 1) all.push(await once());
  const { hands, version } = all[0] as Measured;
  const modelledSeconds = round(hands.modelled, 1);
  const pageSeconds = round(median(all.map((one) => one.seconds)), 1);
  report("newcomer", { editor, version, ...hands.counts, modelledSeconds, pageSeconds, browser: browser.version() });
}

interface Measured {
  readonly hands: Hands;
  readonly seconds: number;
  readonly version?: string;
}

async function inDesigner(): Promise<Measured> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.unshift(end) } as unknown as TestContext;
  const runtime = await startRuntime();
  ends.unshift(() => runtime.stop());
  try {
    const env = { RUNTIME_URL: runtime.url, SERVICE_DEPLOY_TOKEN: token };
    const designer = await startTestDesigner(t, { env, page: join(root, "designer/dist") });
    return await timed(`${designer.url}/#/flows`, "button:has-text('New flow')", makeFlowInDesigner);
  } finally {
    for (const end of ends) await end();
  }
}

async function inNodeRed(): Promise<Measured> {
  const server = await startNodeRed(await nodeRedDirectory(directory), 0, []);
  try {
    const make = (page: Page, hands: Hands) => makeFlowInNodeRed(page, hands, server.url);
    const measured = await timed(server.url, '.red-ui-palette-node[data-palette-type="http response"]', make);
    return { ...measured, version: server.version };
  } finally {
    await server.stop();
  }
}

/** `ready`: what is on the page once it can be used. */
async function timed(
  url: string,
  ready: string,
  make: (page: Page, hands: Hands) => Promise<void>,
): Promise<Omit<Measured, "version">> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  await page.locator(ready).first().waitFor();
  await settled(page);
  const hands = new Hands(page);
  const began = performance.now();
  await make(page, hands);
  const seconds = (performance.now() - began) / 1000;
  await context.close();
  return { hands, seconds };
}
