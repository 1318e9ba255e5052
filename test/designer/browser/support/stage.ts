/**
 * A real runtime, a real designer server and a real browser for the tests of a file: `const stage = await openStage(...)`
 * at its top, and `after(() => stage.close())`. Files of a process share what takes seconds to start, which is Chromium
 * and the runtime's check threads. A runtime and a server start in some hundredths of a second: each file has its own, so
 * that no file sees what another one has left behind.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, type TestContext } from "node:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "../../../../designer/shared/wire.ts";
import { startTestApp, type TestApp, type TestAppOptions, token } from "../../../support/start-app.ts";
import { startTestDesigner, type TestDesigner } from "../../server/support/start-designer.ts";
import { usersFile } from "../../server/support/users-file.ts";
import { sharedChromium } from "./chromium.ts";
import { watchRequests } from "./settled.ts";

const root = resolve(import.meta.dirname, "../../../..");

interface StageOptions {
  /** Files of the workspace before the start: name -> text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly runtime?: TestAppOptions;
  /** People log in: `logIn`. Without it the page is used by an operator. */
  readonly hasLogin?: boolean;
}

interface PageOptions extends BrowserContextOptions {
  /** The test lets time pass: `passTime`. */
  readonly hasClock?: boolean;
}

export interface Stage {
  readonly runtime: TestApp;
  readonly designer: TestDesigner;
  /** Opens the page at an address such as `#/flows`, in a browser profile of its own, until the test has ended. */
  open(hash: string, options?: PageOptions): Promise<Page>;
  /** The text of a file of the workspace. */
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  /** Fails when a page has logged an error since its beginning, but for those that a test expects. */
  assertNoErrors(page: Page, expected?: RegExp): void;
  close(): Promise<void>;
}

export async function openStage({ files = {}, runtime: options, hasLogin }: StageOptions = {}): Promise<Stage> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.unshift(end) } as unknown as TestContext;
  const runtime = await startTestApp(t, options);
  const designer = await startTestDesigner(t, {
    files,
    env: {
      ...{ RUNTIME_URL: runtime.url, SERVICE_DEPLOY_TOKEN: token },
      ...(hasLogin === true && { DESIGNER_USERS: await usersFile(t) }),
    },
    page: join(root, "designer/dist"),
  });
  const browser = await sharedChromium();
  const contexts = new Set<BrowserContext>();
  const closePages = async (): Promise<void> => {
    await Promise.all([...contexts].map((context) => context.close()));
    contexts.clear();
  };
  ends.unshift(closePages);
  // A page that stays open goes on polling, and takes the processor from the tests behind.
  afterEach(closePages);
  const errors = new WeakMap<Page, string[]>();
  return {
    runtime,
    designer,
    async open(hash, { hasClock = false, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
      contexts.add(context);
      if (hasClock) await context.clock.install();
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const found: string[] = [];
      errors.set(page, found);
      page.on("pageerror", (error) => found.push(error.stack ?? error.message));
      page.on("console", (message) => {
        if (message.type() === "error") found.push(message.text());
      });
      watchRequests(page);
      await page.goto(`${designer.url}/${hash}`);
      return page;
    },
    read: (file) => readFile(join(designer.workspace, file), "utf8"),
    write: (file, text) => writeFile(join(designer.workspace, file), text),
    assertNoErrors(page, expected) {
      const found = (errors.get(page) ?? []).filter((text) => expected?.test(text) !== true);
      assert.deepEqual(found, []);
    },
    async close() {
      for (const end of ends) await end();
    },
  };
}

/** Logs in as the person of a role, and waits for the screen of the address. */
export async function logIn(page: Page, role: Role): Promise<void> {
  await page.getByLabel("User").fill(role);
  await page.getByLabel("Password").fill(`password of ${role}`);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator(".user-button", { hasText: role }).waitFor();
}
