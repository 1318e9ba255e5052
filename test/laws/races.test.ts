/**
 * A promise that lives as long as a connection keeps each race that it was in, with the result: a connection's heap then grows with each message.
 * `unlessAborted` leaves nothing behind, so what outlives a call is an AbortSignal.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../..");

/** Files whose races are between promises that all end with the call, and what these are. */
const races: Readonly<Record<string, string>> = {
  "src/control/backup/archive.ts": "a write and its stall, one for each write",
  "src/control/threads/pool/connection-trial.ts": "a trial and the end of its own thread",
  "src/control/threads/pool/thread-source.ts": "a compile and its timer",
  "src/control/threads/waiting.ts": "work and its timer",
  "src/workers/connectors/kafka/classic-member.ts": "a release and a turn of the loop",
  "src/workers/connectors/mqtt/driver.ts": "a question and a timer, once",
  "src/workers/connectors/mysql/client.ts": "a statement's end and a timer",
  "src/workers/connectors/smtp/client.ts": "a mail and the end of its run",
  "src/workers/engine/connections/open-within.ts": "an opening and its timer",
  "src/workers/engine/part-of-run.ts": "a part of a run and its timer",
  "src/workers/engine/waiting.ts": "work and its timer",
  "src/workers/probe.ts": "a probe and its timer",
};

test("Promise.race stands only where all of its promises end with the call", () => {
  const found = globSync("src/**/*.ts", { cwd: root }).filter((file) =>
    readFileSync(resolve(root, file), "utf8").includes("Promise.race("),
  );
  assert.deepEqual(found.sort(), Object.keys(races).sort());
});
