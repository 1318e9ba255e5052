/** Parts of the file component that depend on time or on numbers of files, and its options. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, realpath, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { FileArea } from "../../../src/workers/components/file/area.ts";
import { doneFileOf } from "../../../src/workers/components/file/done-file.ts";
import { fileFailure } from "../../../src/workers/components/file/failure.ts";
import { FileQuota } from "../../../src/workers/components/file/quota.ts";
import { ReadLock } from "../../../src/workers/components/file/read-lock.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import type { RunSink } from "../../../src/workers/engine/run-sink.ts";
import { epochMs, every } from "../../support/clock.ts";
import { consumingRoute } from "../../support/flow-files.ts";
import { webhook } from "../../support/flows.ts";
import { LocalRuns } from "../../support/local-runs.ts";
import { modelOf } from "../../support/run-route.ts";
import { memoryState } from "../../support/state/memory-state.ts";

// What is compiled below without waiting needs the modules of both ends.
await withModules(() => modelOf(consumingRoute("r", "file:in", 'to: "file:out"')));

async function directory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "bulkhead-file-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("options that contradict each other, and those that cannot be had, are refused with what to write instead", () => {
  const both: readonly (readonly [end: "from" | "to", options: string, message: RegExp])[] = [
    ["from", "delete=true&move=done", /You cannot set both delete=true and move options/],
    ["from", "readLock=changed&readLockTimeout=500", /readLockTimeout must be higher than readLockCheckInterval/],
    ["from", "readLock=rename", /readLock/],
    ["from", "include=(", /include|regular expression|missing/],
    ["from", "filterFile=${file:size} >", /bad_expression|predicate|operator|value/],
    ["from", "sortBy=reverse:", /sortBy needs something to sort by/],
    ["from", "doneFileName=${date:now}", /doneFileName knows \$\{file:name\} and \$\{file:name.noext\}/],
    ["from", "doneFileName=../done", /a done file is in the directory of its file/],
    ["from", "charset=klingon", /charset 'klingon' is not one that the runtime has/],
    ["from", "delay=1", /delay is at least 10 ms/],
    ["from", "probeContentType=true", /set the header Content-Type/],
    [
      "to",
      "fileExist=Append&tempPrefix=x",
      /You cannot set both fileExist=Append and tempPrefix\/tempFileName options/,
    ],
    ["to", "fileExist=Move", /You must configure moveExisting option when fileExist=Move/],
    ["to", "moveExisting=x", /You must configure fileExist=Move when moveExisting has been set/],
    ["to", "checksumFileAlgorithm=MD2", /checksumFileAlgorithm 'MD2' is not one of md5/],
    ["to", "chmod=777", /files belong to the runtime's user/],
  ];
  for (const [end, options, message] of both) {
    const uri = `file:x?${options}`;
    const yaml = end === "from" ? consumingRoute("r", uri, 'log: "x"') : webhook("r", `to: "${uri}"`);
    assert.throws(() => modelOf(yaml), message, uri);
  }
  // What Camel has anyway may be said.
  modelOf(
    consumingRoute(
      "r",
      "file:x?readLockMarkerFile=false&scheduler=none&exchangePattern=InOnly&preSort=true",
      'log: "x"',
    ),
  );
});

test("paths: names from the endpoint's directory on, from the area on, and beside a file", () => {
  const area = new FileArea("/files/f", "/in/");
  assert.equal(area.path, "/files/f/in");
  assert.equal(area.inside("a//./b.txt"), "/files/f/in/a/b.txt");
  assert.equal(area.anywhere("in/sub/.camel/a"), "/files/f/in/sub/.camel/a");
  assert.equal(area.anywhere("inner/a"), "/files/f/in/inner/a");
  assert.equal(area.beside("/files/f/in/sub/a", "../b"), "/files/f/in/b");
  const whole = new FileArea("/files/f", ".");
  assert.equal(whole.path, "/files/f");
  assert.equal(whole.inside("..a"), "/files/f/..a");
  assert.throws(() => whole.inside("../f2/a"), /as the filename is jailed to the flow's directory/);
  assert.throws(() => whole.anywhere("/../f2/a"), /leads out of the flow's directory/);
  assert.throws(() => new FileArea("/files/f", "a\0b"), /leads out/);
});

test("readLock=changed: a file that grows is not taken until it has been the same for the interval", () => {
  let now = 0;
  const options = {
    readLock: "changed",
    readLockCheckInterval: 1000,
    readLockTimeout: 0,
    readLockMinLength: 1,
    readLockMinAge: 0,
  } as const;
  const lock = new ReadLock(options, () => now);
  const look = (ms: number, size: number): boolean => {
    now = ms;
    lock.next();
    return lock.isStill({ path: "/a", name: "a", stats: { size, mtimeMs: 1 } });
  };
  assert.deepEqual(
    [look(0, 1), look(900, 2), look(1800, 3), look(2700, 3), look(2800, 3), look(3500, 0), look(9000, 0)],
    [false, false, false, false, true, false, false],
  );
  const aged = new ReadLock({ ...options, readLockMinAge: 60_000 });
  assert.equal(aged.isStill({ path: "/a", name: "a", stats: { size: 1, mtimeMs: epochMs() } }), false);
  assert.equal(aged.isStill({ path: "/a", name: "a", stats: { size: 1, mtimeMs: epochMs() - 61_000 } }), true);
});

test("a done file is told by the part of its name that does not change", () => {
  const named = (text: string, name: string): [string | undefined, boolean | undefined] => {
    const done = doneFileOf(text);
    return [done?.of(name), done?.is(name)];
  };
  assert.deepEqual(named("${file:name}.done", "a.txt"), ["a.txt.done", false]);
  assert.deepEqual(named("${file:name}.done", "a.txt.done"), ["a.txt.done.done", true]);
  assert.deepEqual(named("done-${file:name.noext}", "done-a.tar.gz"), ["done-done-a.tar", true]);
  assert.deepEqual(named("ready", "ready"), ["ready", true]);
});

test("a flow has not ended before the file of its last run is put away", async (t) => {
  const root = await realpath(await directory(t));
  await mkdir(join(root, "in"));
  await writeFile(join(root, "in", "a.txt"), "x");
  const took = Promise.withResolvers<void>();
  const sink: RunSink<Exchange> = {
    ...{ interest: 0, logLevel: 0, recordSteps: false },
    enter() {},
    log: () => took.resolve(),
    trace() {},
    call: () => Promise.reject(new Error("there are no other flows")),
  };
  const port = new LocalRuns(defaultLimits, () => sink);
  const model = modelOf(consumingRoute("r", "file:in?initialDelay=0&delay=10", 'log: "took"'));
  const { life } = compileFlow(model, defaultLimits, { port, files: root, state: memoryState() });
  life.serve("1");
  // Polls do not keep a process alive.
  t.after(every(1000, () => {}));
  await took.promise;
  life.halt();
  await port.settled();
  await life.finish();
  assert.deepEqual(await readdir(join(root, "in")), [".camel"]);
});

test("the files of a flow are counted again when there seem to be too many", async (t) => {
  const root = await directory(t);
  await mkdir(join(root, "sub"));
  await writeFile(join(root, "sub", "a"), "x".repeat(5000));
  const quota = new FileQuota(root, 20_000, 0);
  await quota.take(4096, true);
  await writeFile(join(root, "b"), "x");
  await quota.take(100, false);
  await assert.rejects(quota.take(9000, true), /the flow's files take 13192 bytes and may take 20000/);
  await unlink(join(root, "sub", "a"));
  await quota.take(9000, true);
});

test("errors of the disk are told without the machine's paths", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device, write '/srv/files/f/out/a'"), {
    code: "ENOSPC",
  });
  const told = fileFailure("Cannot store file", "out/a", error);
  assert.equal(told.message, "Cannot store file: out/a (no space is left on the disk)");
  assert.equal((told.cause as Error).message, "out/a: no space is left on the disk");
  const unknown = fileFailure("Cannot store file", "out/a", Object.assign(new Error("/srv"), { code: "EWHATEVER" }));
  assert.equal(unknown.message, "Cannot store file: out/a (EWHATEVER)");
});
