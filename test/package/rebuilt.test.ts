/** Bundles that are built while a runtime of the same checkout serves, and bundles that are removed under it. */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keepBuild } from "../../scripts/builds.ts";
import { copyCheckout } from "../support/checkout.ts";
import { startProgram } from "../support/command-line.ts";
import { answering, webhook } from "../support/flows.ts";
import { folderOf } from "../support/folders.ts";
import { succeed, userEnvironment } from "../support/packed.ts";
import { token } from "../support/start-app.ts";

const buildsIn = (dist: string): readonly string[] => readdirSync(dist).filter((name) => name.startsWith("runtime-"));

const current = (dist: string): string => readFileSync(join(dist, "current"), "utf8").trim();

test("a runtime loads the code with which it began after another build, and says to restart it when that code is gone", async (t) => {
  const folder = folderOf(t, {});
  copyCheckout(folder);
  const dist = join(folder, "dist");
  const build = (): Promise<string> => succeed(["node", "scripts/bundle.ts"], folder);
  await build();
  const first = current(dist);
  const data = join(folder, "data");
  const runtime = startProgram(
    ["node", "bin/bulkhead.js", "run", "--port", "0", "--routes", join(data, "routes"), "--data", data],
    // No thread is there before it is asked for.
    { ...userEnvironment(), SERVICE_DEPLOY_TOKEN: token, LIMIT_STANDBY_THREADS: "0" },
    { cwd: folder },
  );
  t.after(() => runtime.kill("SIGKILL"));
  const [, url = ""] = /listening on (http:[^"]+)/.exec(await runtime.said(/listening on http:[^"]+"/)) ?? [];
  const put = async (id: string, body: string): Promise<readonly [status: number, body: string]> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" };
    const answer = await fetch(`${url}/_api/flows/${id}`, { method: "PUT", headers, body });
    return [answer.status, await answer.text()];
  };
  assert.equal((await put("before", answering("before", "ok")))[0], 201);

  appendFileSync(join(folder, "src/workers/flow-worker.ts"), "\nprocess.title;\n");
  appendFileSync(join(folder, "src/workers/check-worker.ts"), "\nprocess.title;\n");
  await build();
  const second = current(dist);
  assert.notEqual(second, first);
  assert.deepEqual([...buildsIn(dist)].sort(), [first, second].sort());
  // What these steps need is loaded now.
  const later = webhook(
    "later",
    "to: http://127.0.0.1:1/x",
    "setBody: { jsonata: '$sum([1, 2])' }",
    "script: { js: '1' }",
  );
  const [status, text] = await put("later", later);
  assert.equal(status, 201, text);

  rmSync(join(dist, first), { recursive: true });
  const [refused, reason] = await put("last", answering("last", "ok"));
  assert.equal(refused, 503, reason);
  assert.match(reason, /files are gone from \S*\/dist\/runtime-\w+\/.*restart the runtime/);
  assert.equal(await (await fetch(`${url}/api/before`, { method: "POST" })).text(), "ok");
});

test("the five newest builds stay, and one of the same content is the same", async (t) => {
  const dist = folderOf(t, {});
  const make = (content: string): Promise<string> => {
    mkdirSync(join(dist, "building"));
    writeFileSync(join(dist, "building/a.js"), content);
    return keepBuild(join(dist, "building"), dist);
  };
  const first = await make("a");
  const second = await make("b");
  assert.equal(await make("a"), first);
  assert.equal(current(dist), first);
  for (const content of ["c", "d", "e"]) await make(content);
  assert.ok(buildsIn(dist).includes(second));
  const last = await make("f");
  assert.equal(current(dist), last);
  assert.equal(buildsIn(dist).length, 5);
  assert.deepEqual([buildsIn(dist).includes(first), buildsIn(dist).includes(second)], [true, false]);
});
