/** Check threads that go wrong over a text: the PUT is told, nothing is deployed, and the next check is as good as any. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { eventually } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { folderOf, writeFiles } from "../support/folders.ts";
import { listen } from "../support/heard.ts";
import { startTestApp } from "../support/start-app.ts";

const checkEntry = new URL("../support/hostile-check-worker.ts", import.meta.url);

const text = (order: string): string => `# ${order}\n${answering("r", "x")}`;

test("a check that goes wrong is answered, and the pool goes on", async (t) => {
  const heard = listen(t, /^(printed|written) by a check/);
  const app = await startTestApp(t, { checkEntry, limits: { checkMs: 1500 } });
  await app.put("victim", answering("victim", "x"));
  for (const [order, status, words] of [
    ["loop", 422, /checking took longer than 1500 ms/],
    ["grow", 422, /checking needed too much memory|checking took longer/],
    ["exit", 422, /the thread that checked the document ended/],
    ["exit well", 422, /the thread that checked the document ended/],
    ["throw later", 500, /internal/],
    ["throw", 500, /internal/],
    ["nothing", 500, /internal/],
    ["a text", 500, /internal/],
    ["no diagnostics", 500, /internal/],
    ["a diagnostic that is none", 500, /internal/],
    ["another flow", 500, /internal/],
    ["another route", 500, /internal/],
    ["no manifest", 500, /internal/],
    ["files", 500, /internal/],
    ["network", 500, /internal/],
    ["environment", 422, process.env.BULKHEAD_COVERAGE_DIR === undefined ? /\{\}/ : /NODE_V8_COVERAGE/],
    ["print", 201, /"f"/],
  ] as const) {
    await t.test(order, async () => {
      const answer = await app.put("f", text(order));
      const body = await answer.text();
      assert.equal(answer.status, status, body);
      assert.match(body, words);
      assert.equal(body.includes("/etc/"), false);
      // A check that comes at a bad moment of a busy machine may take longer than it is given.
      const goes = async (): Promise<boolean> => (await app.put("good", answering("good", order))).status < 300;
      await eventually(goes, "the next check", 60_000);
      assert.equal(await (await app.post("/api/good")).text(), order);
    });
  }
  assert.equal((await app.post("/api/victim")).status, 200);
  assert.equal(JSON.stringify(app.logs).includes("by a check"), false);
  assert.deepEqual(heard(), []);
});

test("check threads that cannot start are reported at once, and the next check has one that can", async (t) => {
  const folder = folderOf(t, { "check.mts": 'throw new Error("its files are gone");' });
  const app = await startTestApp(t, { checkEntry: pathToFileURL(`${folder}/check.mts`) });
  // The first thread has its task before it starts; later ones take theirs when they have started.
  for (const id of ["first", "second", "third"]) assert.equal((await app.put(id, answering(id, "x"))).status, 500);
  assert.match(JSON.stringify(app.logs), /no check thread can start: its files are gone/);
  const product = new URL("../../src/workers/check-worker.ts", import.meta.url).href;
  writeFiles(folder, { "check.mts": `export * from ${JSON.stringify(product)};` });
  assert.equal((await app.put("good", answering("good", "x"))).status, 201);
});
