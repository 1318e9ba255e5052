/** Files that are consumed while their flow is replaced, stopped, killed, or the runtime ends: none is lost, and none is taken twice. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../support/clock.ts";
import { consumingRoute, type FlowFiles, flowFiles } from "../support/flow-files.ts";
import { answering } from "../support/flows.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestAppOptions } from "../support/start-app.ts";

const patience = 60_000;

interface Held extends FlowFiles {
  /** A route that stays at each file until it is let go. */
  route(version: string): string;
  /** Resolves when so many files are being held. */
  holding(count?: number): Promise<void>;
  /** Lets those go that are held. */
  letGo(): void;
  /** From now on nothing is held. */
  letAllGo(): void;
  /** Names of files, in the order in which the route said so. */
  said(word: "began" | "ended"): string[];
}

const options: TestAppOptions = {
  egressAllow: "127.0.0.1",
  limits: { outboundHeadersMs: 120_000, outboundTotalMs: 120_000, shutdownMs: 60_000 },
};

async function heldFiles(t: TestContext, more: TestAppOptions = {}): Promise<Held> {
  const waiting: ServerResponse[] = [];
  let holds = true;
  const server = await startHttpServer(t, (_, response) => {
    if (holds) waiting.push(response);
    else response.end();
  });
  const files = await flowFiles(t, { ...options, ...more });
  const letGo = (): void => {
    for (const response of waiting.splice(0)) response.end();
  };
  return {
    ...files,
    route: (version) =>
      consumingRoute(
        "c",
        "file:in?initialDelay=0&delay=50",
        `log: "began \${file:name} ${version}"`,
        `to: "${server.url}/?httpMethod=GET"`,
        'log: "ended ${file:name}"',
      ),
    holding: async (count = 1) => void (await eventually(() => waiting.length === count, "a file is held", patience)),
    letGo,
    letAllGo() {
      holds = false;
      letGo();
    },
    said: (word) =>
      files.app.logs.flatMap(({ message }) => (message.startsWith(word) ? [message.split(" ")[1] ?? ""] : [])),
  };
}

async function fill(files: FlowFiles, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${index}.txt`);
  for (const name of names) await files.write(`in/${name}`, name);
  return names;
}

/** A line of the log arrives when the turn of the thread that wrote it is over, which may be after the file was moved. */
async function allSaid(files: Held, word: "began" | "ended", names: readonly string[]): Promise<void> {
  await eventually(() => files.said(word).length >= names.length, `all have ${word}`, patience);
  assert.deepEqual(files.said(word), names);
}

async function allMoved(files: FlowFiles, names: readonly string[]): Promise<void> {
  const wanted = names.map((name) => `in/.camel/${name}`).join();
  await eventually(async () => (await files.list()).join() === wanted, "all files are moved", patience);
}

test("a flow that is replaced while it is at a file: each is taken once; besides, the new deployment answers at once", async (t) => {
  const files = await heldFiles(t);
  const names = await fill(files, 5);
  const ticks = (version: string): string =>
    `- route:\n    id: t\n    from:\n      uri: timer:t?period=60&delay=0\n      steps:\n        - log: "tick ${version}"\n`;
  for (const version of ["v1", "v2", "v3"]) {
    await files.deploy(files.route(version) + answering("r", version) + ticks(version));
    // The one before is still at its file.
    assert.equal(await files.call("r"), version);
    await eventually(
      () => files.app.logs.filter(({ message }) => message === `tick ${version}`).length >= 3,
      "ticks",
      patience,
    );
    if (version !== "v1") files.letGo();
    await files.holding();
  }
  files.letAllGo();
  await allMoved(files, names);
  await allSaid(files, "began", names);
  await allSaid(files, "ended", names);
});

test("a stopped flow finishes the file that it is at and takes no more; started again it goes on", async (t) => {
  const files = await heldFiles(t);
  const { app } = files;
  const names = await fill(files, 3);
  await files.deploy(files.route("v1"));
  await files.holding();
  assert.equal((await app.api("/flows/f/stop", { method: "POST" })).status, 200);
  const state = async (): Promise<string> => ((await (await app.api("/flows/f")).json()) as { state: string }).state;
  assert.equal(await state(), "Stopping");
  files.letAllGo();
  await eventually(async () => (await state()) === "Stopped", "it stops", patience);
  assert.deepEqual(await files.list(), ["in/.camel/0.txt", "in/1.txt", "in/2.txt"]);
  assert.equal((await app.api("/flows/f/start", { method: "POST" })).status, 200);
  await allMoved(files, names);
  await allSaid(files, "began", names);
});

test("a route that does not start by itself takes no files until the flow is started by hand", async (t) => {
  const files = await heldFiles(t);
  files.letAllGo();
  await fill(files, 1);
  const other = consumingRoute("d", "file:other?initialDelay=0&delay=50", 'log: "began ${file:name}"');
  await files.deploy(files.route("v1").replace("id: c", "id: c\n    autoStartup: false") + other);
  await files.write("other/x.txt", "x");
  await eventually(() => files.said("began").includes("x.txt"), "the other route", patience);
  assert.deepEqual(files.said("began"), ["x.txt"]);
  assert.equal((await files.app.api("/flows/f/start", { method: "POST" })).status, 200);
  await eventually(() => files.said("ended").includes("0.txt"), "by hand", patience);
});

test("a shutdown lets the file be finished that is under way; the next start goes on", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-files-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const files = await heldFiles(t, { directory });
  const names = await fill(files, 4);
  await files.deploy(files.route("v1"));
  await files.holding();
  const closed = files.app.close();
  files.letAllGo();
  await closed;
  const begun = files.said("began");
  await allSaid(files, "ended", begun);
  const left = names.slice(begun.length).map((name) => `in/${name}`);
  assert.deepEqual(await files.list(), [...begun.map((name) => `in/.camel/${name}`), ...left]);
  const app = await startTestApp(t, { ...options, directory });
  await allMoved(files, names);
  const later = app.logs
    .filter(({ message }) => message.startsWith("began"))
    .map(({ message }) => message.split(" ")[1]);
  assert.deepEqual([...begun, ...later], names);
});

test("a thread that dies at a file leaves it where it was, and the next thread takes it", async (t) => {
  const files = await heldFiles(t, { threadEntry: new URL("../support/reaching-worker.ts", import.meta.url) });
  const names = await fill(files, 2);
  await files.deploy(files.route("v1") + answering("r", "x"));
  await files.holding();
  assert.deepEqual(files.said("began"), ["0.txt"]);
  assert.equal(await files.call("r", "throw later"), "x");
  // The one of the thread that died is held besides.
  await files.holding(2);
  assert.deepEqual(files.said("began"), ["0.txt", "0.txt"]);
  files.letAllGo();
  await allMoved(files, names);
  await allSaid(files, "ended", names);
});

test("a flow that rests after too many deaths goes on with its files by itself", async (t) => {
  const files = await flowFiles(t, {
    threadEntry: new URL("../support/reaching-worker.ts", import.meta.url),
    limits: { quarantineKills: 1, quarantineMs: 300 },
  });
  const consumes = consumingRoute("c", "file:in?initialDelay=0&delay=50", 'log: "began ${file:name}"');
  await files.deploy(consumes + answering("r", "x"));
  assert.equal(await files.call("r", "throw later"), "x");
  await eventually(() => files.app.logs.some(({ message }) => message.includes("(exit)")), "it dies", patience);
  await files.write("in/a.txt", "x");
  await allMoved(files, ["a.txt"]);
});
