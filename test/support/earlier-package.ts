/** The package of the last commit with libraries beside it and that of this checkout, and their runtimes over one folder of data. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { linkLibraries, root } from "./checkout.ts";
import { startProgram } from "./command-line.ts";
import { packed, succeed, userEnvironment } from "./packed.ts";

const earlier = "638c8a50";
const token = "t".repeat(32);
/** Why there is no such package; false: there is one. */
export const noEarlier: string | false =
  spawnSync("git", ["cat-file", "-e", `${earlier}^{commit}`], { cwd: root }).status !== 0 &&
  `this clone has no commit ${earlier}`;

let making: Promise<readonly [earlier: string, present: string]> | undefined;

/** Returns the main modules of both packages, each in a project of its own. Made once for all tests of a process. */
export function bothPackages(): Promise<readonly [earlier: string, present: string]> {
  making ??= Promise.all([earlierProject(), presentProject()]);
  return making;
}

/** Packs the files of that commit, of which each library is a link to one of this checkout. */
async function earlierProject(): Promise<string> {
  const checkout = emptyFolder();
  const archive = execFileSync("git", ["archive", earlier], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", checkout], { input: archive });
  linkLibraries(checkout);
  await succeed(["node", "scripts/bundle.ts"], checkout);
  await succeed(["node", "node_modules/typescript/bin/tsc", "-p", "tsconfig.client.json"], checkout);
  const name = (await succeed(["npm", "pack", "--ignore-scripts", "--silent"], checkout)).trim();
  const project = emptyFolder();
  const modules = join(project, "node_modules");
  mkdirSync(modules);
  await succeed(["tar", "-xzf", join(checkout, name), "-C", modules], project);
  renameSync(join(modules, "package"), join(modules, "bulkhead"));
  // It looks for libraries in its own folder.
  symlinkSync(join(root, "node_modules"), join(modules, "bulkhead/node_modules"));
  return mainOf(project);
}

async function presentProject(): Promise<string> {
  const project = emptyFolder();
  await succeed(["npm", "install", "--offline", "--prefix", ".", await packed()], project);
  return mainOf(project);
}

function mainOf(project: string): string {
  return join(project, "node_modules/bulkhead/bin/bulkhead.js");
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bulkhead-upgrade-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Failed {
  readonly id: string;
  readonly state: string;
  /** 0: its first run is under way. */
  readonly attempts: number;
}

export interface Running {
  /** Runs a command of the same package against the runtime. Resolves with what it prints, without the last line's end. */
  bulkhead(...args: readonly string[]): Promise<string>;
  /** Calls the flow `orders`. */
  order(id: string): Promise<string>;
  /** Calls the flow `bills`, whose caller does not wait. */
  bill(body: string): Promise<void>;
  failed(): Promise<readonly Failed[]>;
  /** Returns what the management API answers. */
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts the runtime of a package. `data`: the folder with the directories of the flows and of the data. */
export async function start(
  t: TestContext,
  main: string,
  data: string,
  more: Readonly<Record<string, string>>,
): Promise<Running> {
  const env = {
    ...userEnvironment(),
    ...more,
    SERVICE_DEPLOY_TOKEN: token,
    BULKHEAD_TOKEN: token,
  };
  const runtime = startProgram(
    ["node", main, "run", "--port", "0", "--routes", join(data, "routes"), "--data", join(data, "data")],
    env,
    { cwd: data },
  );
  const kill = async (): Promise<void> => {
    runtime.kill("SIGKILL");
    await runtime.ended;
  };
  t.after(kill);
  const said = await runtime.said(/flows? loaded"/);
  const url = /listening on (http:[^"]+)"/.exec(said)?.[1] ?? "";
  const bulkhead = async (...args: readonly string[]): Promise<string> =>
    (await succeed(["node", main, ...args], data, { ...env, BULKHEAD_URL: url })).trimEnd();
  return {
    bulkhead,
    order: (id) => bulkhead("call", "/api/orders", "-H", `id: ${id}`, "-d", "Paid"),
    async bill(body) {
      const headers = { Prefer: "respond-async" };
      assert.equal((await fetch(`${url}/api/bills`, { method: "POST", headers, body })).status, 202);
    },
    failed: async () => JSON.parse(await bulkhead("failed", "--json")) as readonly Failed[],
    async get(path) {
      const response = await fetch(`${url}/_api${path}`, { headers: { Authorization: `Bearer ${token}` } });
      assert.equal(response.status, 200, path);
      return response.json();
    },
    kill,
    async stop() {
      runtime.kill("SIGTERM");
      assert.equal((await runtime.ended).code, 0);
    },
  };
}
