/**
 * The designer's page in a real browser against its budgets: what it loads, how soon a step is seen on a slow client, how soon a flow
 * of 200 steps and a keystroke in it are drawn, whether it stays smooth while 200 steps are counted live, and what that costs.
 * `npm run bench -- designer [rounds]`; `CHROMIUM` names the browser's program.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { settled } from "../test/designer/browser/support/settled.ts";
import { startTestDesigner } from "../test/designer/server/support/start-designer.ts";
import { printBars } from "./support/bars.ts";
import { machine, median, quantile, report, round } from "./support/figures.ts";
import { pageClockScript } from "./support/page-clock.ts";
import { startRuntime, token } from "./support/server-process.ts";

interface PageClock {
  readonly firstStep: number | undefined;
  readonly longTasks: (readonly [start: number, ms: number])[];
  readonly lastKey: number;
  picture(isThere: () => boolean): Promise<number>;
}
declare const pageClock: PageClock;

/** As DevTools has them: 10 Mbit/s in bytes a second, and the delay of a request. */
const slowClient = { cpu: 4, bytesPerSecond: 10_000_000 / 8, latencyMs: 40 };
const steps = 200;
const keystrokes = 30;
const liveSeconds = 10;
/** Runs a second while the page is watched: each run ends `steps` steps. */
const runsPerSecond = 5;

const [rounds = 5] = process.argv.slice(2).map(Number);
const root = resolve(import.meta.dirname, "..");
const small = readFileSync(join(root, "routes/samples/hello.yaml"), "utf8");
const ends: (() => unknown)[] = [];
const runtime = await startRuntime();
ends.unshift(() => runtime.stop());
const designer = await startTestDesigner(
  { after: (end: () => unknown) => void ends.unshift(end) } as unknown as TestContext,
  {
    files: { "hello.yaml": small, "large.yaml": largeFlow("large", steps) },
    env: { RUNTIME_URL: runtime.url, SERVICE_DEPLOY_TOKEN: token },
    page: join(root, "designer/dist"),
  },
);
const browser: Browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
ends.unshift(() => browser.close());
const consoleErrors: string[] = [];

try {
  await measure();
} finally {
  for (const end of ends) await end();
}

async function measure(): Promise<void> {
  await put("hello", small);
  await put("large", largeFlow("large", steps));
  const load = await measureLoad();
  const firstSteps: number[] = [];
  for (let n = 0; n < rounds; n++) firstSteps.push(await measureFirstStep());
  const openings: number[] = [];
  const keys: number[] = [];
  for (let n = 0; n < rounds; n++) {
    openings.push(await measureOpening());
    keys.push(...(await measureKeystrokes()));
  }
  const live = await measureLive();

  report("designer", {
    machine: machine(),
    rounds,
    loaded: load.map(({ name, gzip }) => `${name} ${round(gzip / 1024, 1)}`),
    firstStepMs: firstSteps.map((ms) => round(ms, 0)),
    openingMs: openings.map((ms) => round(ms, 0)),
    keystrokeMs: {
      median: round(median(keys), 1),
      p95: round(
        quantile(
          keys.toSorted((a, b) => a - b),
          0.95,
        ),
        1,
      ),
    },
    live: { ...live, cpuMsPerSecond: round(live.cpuMsPerSecond, 0) },
    consoleErrors,
  });
  printBars("designer", [
    {
      what: "scripts until an open flow is drawn, gzip",
      measured: load.reduce((sum, { gzip }) => sum + gzip, 0) / 1024,
      most: 260,
      unit: "KB",
    },
    { what: "first step seen, 4x CPU, 10 Mbit/s, median", measured: median(firstSteps), most: 1500, unit: "ms" },
    { what: `${steps} steps opened, median`, measured: median(openings), most: 300, unit: "ms" },
    { what: `a keystroke drawn, ${steps} steps, median`, measured: median(keys), most: 100, unit: "ms" },
    { what: `longest task while ${steps} steps are counted live`, measured: live.longestTaskMs, most: 50, unit: "ms" },
    { what: "errors in the console", measured: consoleErrors.length, most: 0 },
  ]);
}

async function put(id: string, yaml: string): Promise<void> {
  const response = await fetch(`${runtime.url}/_api/flows/${id}`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" },
    body: yaml,
  });
  if (!response.ok) throw new Error(`PUT ${id}: ${response.status} ${await response.text()}`);
}

/** A webhook flow of `count` log steps with the ids `s1`, `s2` ... */
function largeFlow(id: string, count: number): string {
  const lines = Array.from({ length: count }, (_, n) => `        - log: { id: s${n + 1}, message: "step ${n + 1}" }`);
  return `- route:\n    id: ${id}\n    from:\n      uri: webhook\n      steps:\n${lines.join("\n")}\n`;
}

/** A page in a browser profile of its own, which has nothing cached. */
async function openPage(hash: string, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  await page.addInitScript(pageClockScript);
  await prepare?.(page);
  await page.goto(`${designer.url}/${hash}`, { waitUntil: "commit" });
  return page;
}

/** The scripts that the page has asked for when a flow that was opened by its address is drawn. */
async function measureLoad(): Promise<readonly { readonly name: string; readonly gzip: number }[]> {
  const scripts: string[] = [];
  const page = await openPage("#/flows/hello", async (opened) => {
    opened.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url());
    });
  });
  await page.waitForFunction(() => pageClock.firstStep !== undefined);
  await settled(page);
  await page.context().close();
  return Promise.all(
    scripts.map(async (url) => {
      const body = new Uint8Array(await (await fetch(url)).arrayBuffer());
      const name = new URL(url).pathname.split("/").at(-1) ?? "";
      return { name, gzip: gzipSync(body, { level: 9 }).byteLength };
    }),
  );
}

/** From the start of the navigation to the picture with the first step, on a slow client. */
async function measureFirstStep(): Promise<number> {
  const page = await openPage("#/flows/hello", async (opened) => {
    const session: CDPSession = await opened.context().newCDPSession(opened);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowClient.cpu });
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: slowClient.latencyMs,
      downloadThroughput: slowClient.bytesPerSecond,
      uploadThroughput: slowClient.bytesPerSecond,
    });
  });
  const time = await page.waitForFunction(() => pageClock.firstStep);
  const ms = (await time.jsonValue()) as number;
  await page.context().close();
  return ms;
}

/** From a click on the name of the large flow to the picture with all of its steps. */
async function measureOpening(): Promise<number> {
  const page = await openPage("#/flows");
  await page.getByRole("link", { name: "large" }).first().waitFor();
  await settled(page);
  const ms = await page.evaluate(async (count) => {
    const began = performance.now();
    location.hash = "#/flows/large";
    return (await pageClock.picture(() => document.querySelectorAll(".canvas .node").length >= count)) - began;
  }, steps);
  await page.context().close();
  return ms;
}

/** From each key that is pressed in the form of a step to the picture in which its node has the text. */
async function measureKeystrokes(): Promise<readonly number[]> {
  const page = await openPage("#/flows/large");
  await page.locator('.node[data-id="s100"]').click();
  const field = page.locator("#editor-form").getByLabel("message").first();
  await field.click();
  await page.keyboard.press("End");
  const times: number[] = [];
  let text = "step 100";
  for (let n = 0; n < keystrokes; n++) {
    text += String.fromCharCode(97 + (n % 26));
    const drawn = page.evaluate(async (wanted) => {
      const node = document.querySelector('.node[data-id="s100"]');
      const time = await pageClock.picture(() => node?.textContent?.includes(wanted) === true);
      return time - pageClock.lastKey;
    }, text);
    await page.keyboard.press(text.at(-1) as string);
    times.push(await drawn);
  }
  await page.context().close();
  return times;
}

interface Live {
  readonly eventsPerSecond: number;
  readonly cpuMsPerSecond: number;
  readonly longestTaskMs: number;
  readonly longTasks: number;
}

/** The page counts each step of the large flow while it runs some times a second. */
async function measureLive(): Promise<Live> {
  const page = await openPage("#/flows/large?panel=live");
  await page.locator(".watch-panel .chip", { hasText: "Live" }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await call();
  await page.locator('[data-id="s200"] .badge').first().waitFor();
  const from = await page.evaluate(() => performance.now());
  const before = await taskSeconds(session);
  const began = performance.now();
  let runs = 0;
  while (performance.now() - began < liveSeconds * 1000) {
    await call();
    runs += 1;
    const due = began + (runs * 1000) / runsPerSecond;
    await new Promise((next) => setTimeout(next, Math.max(0, due - performance.now())));
  }
  const seconds = (performance.now() - began) / 1000;
  const cpu = (await taskSeconds(session)) - before;
  const tasks = await page.evaluate((since) => pageClock.longTasks.filter(([start]) => start >= since), from);
  await page.context().close();
  return {
    eventsPerSecond: round((runs * steps) / seconds, 0),
    cpuMsPerSecond: (cpu * 1000) / seconds,
    longestTaskMs: Math.max(0, ...tasks.map(([, ms]) => ms)),
    longTasks: tasks.length,
  };
}

async function call(): Promise<void> {
  const response = await fetch(`${runtime.url}/api/large`, { method: "POST", body: "x" });
  if (!response.ok) throw new Error(`call: ${response.status}`);
  await response.arrayBuffer();
}

/** Seconds that the page's main thread has worked since its start. */
async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}
