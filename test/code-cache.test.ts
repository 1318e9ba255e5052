/**
 * The code cache that `npm ci` makes (docs/decisions/0011) is used by the start, by check threads and by threads of flows. V8 ignores a cache
 * that it cannot use, such as one made with other flags; the runtime would only be slower, so the test reads Node's own report.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundle } from "./support/bundles.ts";
import { eventually } from "./support/clock.ts";
import { answering, webhook } from "./support/flows.ts";
import { token } from "./support/start-app.ts";
import { startProcess } from "./support/start-process.ts";

/** A line of that report: `accepted`, `rejected`, or `not initialized` when there was no cache for the file. */
const verdict = /V8 code cache for ESM file:\/\/\S*\/dist\/[^/]+\/(\S+) was (\w+)/g;

const unused =
  bundle("flow-worker") === undefined
    ? "the sources are newer than the bundles: npm run prepare"
    : Number(process.versions.node.split(".")[0]) < 26 && "Node reads a cache that it may not write from 26 on";

test("threads boot from the code cache, and so does the runtime", { skip: unused }, async (t) => {
  const { url, stderr } = await startProcess(t, {
    SERVICE_DEPLOY_TOKEN: token,
    NODE_DEBUG_NATIVE: "COMPILE_CACHE",
    LIMIT_STANDBY_THREADS: "0",
  });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" };
  const flows = [
    ["plain", answering("plain", "ok")],
    ["calling", webhook("calling", "to: http://127.0.0.1:1/x")],
  ] as const;
  for (const [id, body] of flows) {
    const { status } = await fetch(`${url}/_api/flows/${id}`, { method: "PUT", headers, body });
    assert.equal(status, 201);
  }
  assert.equal(await (await fetch(`${url}/api/plain`, { method: "POST" })).text(), "ok");
  const verdicts = (): readonly (readonly [file: string, verdict: string])[] =>
    [...stderr().matchAll(verdict)].map(([, file = "", word = ""]) => [file, word]);
  const accepted = (file: string): number =>
    verdicts().filter((one) => one[0] === file && one[1] === "accepted").length;
  // Each flow has a thread of its own, one of them with the right to connect.
  await eventually(() => accepted("flow-worker.js") >= 2, "the threads of both flows read the cache");
  for (const file of ["main.js", "check-worker.js"]) assert.ok(accepted(file) > 0, `${file} has no cache`);
  assert.deepEqual(
    verdicts().filter(([, word]) => word !== "accepted"),
    [],
  );
});
