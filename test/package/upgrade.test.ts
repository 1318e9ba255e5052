/**
 * The package of the last commit with libraries beside it, this package, and the other one again, on the same directories. docs/upgrading.md
 * says what is kept.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { linkLibraries, root } from "../support/checkout.ts";
import { eventually } from "../support/clock.ts";
import { startProgram } from "../support/command-line.ts";
import { folderOf, writeFiles } from "../support/folders.ts";
import { startHttpServer } from "../support/http-server.ts";
import { packed, succeed, userEnvironment } from "../support/packed.ts";
import { part } from "../support/part.ts";
import { projectOf } from "../support/upgrade-project.ts";

const earlier = "638c8a50";
const token = "t".repeat(32);
const skip = spawnSync("git", ["cat-file", "-e", `${earlier}^{commit}`], { cwd: root }).status !== 0;

/** Packs the files of a commit, of which each library is a link to one of this checkout. Returns the folder of a project with that package. */
async function earlierProject(t: TestContext): Promise<string> {
  const checkout = folderOf(t, {});
  const archive = execFileSync("git", ["archive", earlier], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", checkout], { input: archive });
  linkLibraries(checkout);
  await succeed(["node", "scripts/bundle.ts"], checkout);
  await succeed(["node", "node_modules/typescript/bin/tsc", "-p", "tsconfig.client.json"], checkout);
  const name = (await succeed(["npm", "pack", "--ignore-scripts", "--silent"], checkout)).trim();
  const project = folderOf(t, {});
  const modules = join(project, "node_modules");
  mkdirSync(modules);
  await succeed(["tar", "-xzf", join(checkout, name), "-C", modules], project);
  renameSync(join(modules, "package"), join(modules, "bulkhead"));
  // It looks for libraries in its own folder.
  symlinkSync(join(root, "node_modules"), join(modules, "bulkhead/node_modules"));
  return project;
}

interface Failed {
  readonly id: string;
  readonly state: string;
}

interface Running {
  /** Runs a command of the same package against the runtime. Resolves with what it prints, without the last line's end. */
  bulkhead(...args: readonly string[]): Promise<string>;
  /** Calls the flow `orders`. */
  order(id: string): Promise<string>;
  /** Calls the flow `bills`, whose caller does not wait. */
  bill(body: string): Promise<void>;
  failed(): Promise<readonly Failed[]>;
  stop(): Promise<void>;
}

/** Starts the runtime of a package. `data`: the folder with the directories of the flows and of the data. */
async function start(
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
  t.after(async () => {
    runtime.kill("SIGKILL");
    await runtime.ended;
  });
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
    async stop() {
      runtime.kill("SIGTERM");
      assert.equal((await runtime.ended).code, 0);
    },
  };
}

test("flows, revisions, documents, keys, failed messages and rows are there after an upgrade, and after the way back", {
  skip: skip && `this clone has no commit ${earlier}`,
}, async (t) => {
  let isDown = true;
  const server = await startHttpServer(t, (_, response) => {
    response.statusCode = isDown ? 503 : 200;
    response.end();
  });
  const archive = await part(t, "this package is packed", packed);
  const project = await part(t, "the earlier package is packed", () => earlierProject(t));
  const upgraded = folderOf(t, {});
  await succeed(["npm", "install", "--offline", "--prefix", ".", archive], upgraded);
  const [before = "", after = ""] = [project, upgraded].map((folder) =>
    join(folder, "node_modules/bulkhead/bin/bulkhead.js"),
  );
  const data = folderOf(t, projectOf("first", server.url));
  const egress = { EGRESS_ALLOW: server.host };
  const versionOf = (main: string): Promise<string> => succeed(["node", main, "--version"], data);
  assert.notEqual(await versionOf(before), await versionOf(after));
  const revisions = async (runtime: Running): Promise<readonly number[]> =>
    (JSON.parse(await runtime.bulkhead("rollback", "orders", "--list", "--json")) as { revision: number }[]).map(
      ({ revision }) => revision,
    );

  const one = await part(t, "the earlier package serves, and keeps a failed message", async () => {
    const first = await start(t, before, data, egress);
    await first.bulkhead("deploy", "flows");
    writeFiles(data, projectOf("second", server.url));
    await first.bulkhead("deploy", "flows");
    assert.deepEqual([await first.order("1"), await first.order("1")], ["20 second", "duplicate second"]);
    assert.equal(await first.bulkhead("call", "notes", "-d", ""), "1");
    await first.bill("one");
    const [message] = await eventually(async () => {
      const waiting = await first.failed();
      return waiting.length === 1 ? waiting : undefined;
    }, "a failed message");
    await first.stop();
    return message;
  });

  const left = await part(t, "this package serves the same, retries a message and puts a revision back", async () => {
    const second = await start(t, after, data, egress);
    assert.deepEqual([await second.order("1"), await second.order("2")], ["duplicate second", "20 second"]);
    assert.equal(await second.bulkhead("call", "notes", "-d", ""), "2");
    assert.deepEqual(await revisions(second), [2, 1]);
    assert.deepEqual(await second.failed(), [one]);
    await second.bill("two");
    await eventually(async () => (await second.failed()).length === 2, "another failed message");
    isDown = false;
    await second.bulkhead("failed", "retry", one?.id ?? "", "--wait");
    await second.bulkhead("rollback", "orders");
    assert.deepEqual([await second.order("2"), await second.order("3")], ["duplicate first", "20 first"]);
    const messages = await second.failed();
    assert.deepEqual(messages.map(({ state }) => state).sort(), ["retried", "waiting"]);
    await second.stop();
    return messages;
  });

  await part(t, "the earlier package serves the same again", async () => {
    // 0.1.0 does not look for the key that this package has made.
    const key = readFileSync(join(data, "data/data.key"), "utf8").trim();
    const third = await start(t, before, data, { ...egress, DATA_KEY: key });
    for (const id of ["1", "2", "3"]) assert.equal(await third.order(id), "duplicate first");
    assert.equal(await third.bulkhead("call", "notes", "-d", ""), "3");
    assert.deepEqual(await revisions(third), [3, 2, 1]);
    assert.deepEqual(await third.failed(), left);
    await third.bulkhead("failed", "retry", left.find(({ state }) => state === "waiting")?.id ?? "", "--wait");
    assert.deepEqual(
      server.heard.map(({ body }) => body),
      ["one", "two", "one", "two"],
    );
    await third.stop();
  });

  const page = readFileSync(join(root, "docs/upgrading.md"), "utf8");
  const { version } = JSON.parse(readFileSync(join(data, "data/version.json"), "utf8")) as { version: number };
  const rows = [...page.matchAll(/^\| \d+\.\d+\.\d+ \| (\d+) \| \d+ \| \d+ \|$/gm)].map(([, number]) => Number(number));
  assert.deepEqual([...new Set(rows)], [version], "docs/upgrading.md names the form of the directory");
});
