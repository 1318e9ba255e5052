/** `top` against a runtime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bulkhead } from "../support/command-line.ts";
import { webhook } from "../support/flows.ts";
import { noTerminal, onTerminal } from "../support/pseudo-terminal.ts";
import { startTestApp, token } from "../support/start-app.ts";

const failing = webhook(
  "failing",
  "throwException: { exceptionType: java.lang.IllegalStateException, message: 'no stock' }",
);

/** The alternate screen without a cursor, and back. */
const taken = "\u001b[?1049h\u001b[?25l";
const restored = "\u001b[?25h\u001b[?1049l";

interface Figures {
  readonly id: string;
  readonly cpuPercent?: number;
  readonly memoryBytes: number;
  readonly runsPerSecond?: number;
  readonly errors: number;
  readonly threads: number;
}

test("top prints what flows use once: sorted, limited, with rates between two looks", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  assert.equal((await app.put("calm", webhook("calm", "setBody: { constant: ok }"))).status, 201);
  assert.equal((await app.put("failing", failing)).status, 201);
  assert.equal((await app.post("/api/failing", "1")).status, 500);

  await t.test("as JSON", async () => {
    const { code, stdout } = await bulkhead(["top", "--json", "--interval", "0.1", "--sort", "errors"], { env });
    const { seconds, flows } = JSON.parse(stdout) as { seconds: number; flows: readonly Figures[] };
    assert.equal(code, 0);
    assert.ok(seconds > 0);
    assert.deepEqual(
      flows.map(({ id, errors, threads, runsPerSecond }) => ({ id, errors, threads, runsPerSecond })),
      [
        { id: "failing", errors: 1, threads: 1, runsPerSecond: 0 },
        { id: "calm", errors: 0, threads: 1, runsPerSecond: 0 },
      ],
    );
    assert.ok(flows.every(({ memoryBytes, cpuPercent }) => memoryBytes > 0 && cpuPercent !== undefined));
  });

  await t.test("as a table, where the output is no terminal", async () => {
    const { stdout } = await bulkhead(["top", "--interval", "0.1", "--sort", "name", "--limit", "1"], { env });
    const [title = "", row = "", ...more] = stdout.trimEnd().split("\n");
    assert.match(title, /^FLOW▴ +STATE +CPU % +MEMORY +RUNS\/S +ERRORS\/S +ERRORS +THREADS +RUNNING +QUEUE$/);
    assert.match(row, /^calm +Started +\d+\.\d +\d+\.\d MiB +0\.0 +0\.0 +0 +1 +0 +0$/);
    assert.deepEqual(more, []);
  });

  await t.test("with the next run of flows that have a clock", async () => {
    const clock = '- route: { id: t, from: { uri: "timer:t?period=3600000&delay=3600000", steps: [{ log: x }] } }\n';
    assert.equal((await app.put("clock", clock)).status, 201);
    const { stdout } = await bulkhead(["top", "--interval", "0.1", "--sort", "name"], { env });
    const [title = "", ...rows] = stdout.trimEnd().split("\n");
    assert.match(title, / QUEUE +NEXT RUN$/);
    assert.match(rows.find((row) => row.startsWith("clock")) ?? "", / (?:\d\d-\d\d )?\d\d:\d\d:\d\d$/);
    assert.equal((await app.api("/flows/clock", { method: "DELETE" })).status, 200);
  });

  await t.test("what cannot be used is refused", async () => {
    const sort = await bulkhead(["top", "--sort", "memroy"], { env });
    assert.deepEqual([sort.code, /did you mean 'memory'/.test(sort.stderr)], [2, true], sort.stderr);
    assert.equal((await bulkhead(["top", "--interval", "0"], { env })).code, 2);
    const nobody = await bulkhead(["top", "--once", "--url", "http://127.0.0.1:1"], { env });
    assert.equal(nobody.code, 1);
  });
});

const live =
  "on a terminal top draws until a key ends it, sorts by keys, shows a lost runtime, and restores the terminal";
test(live, { skip: noTerminal() }, async (t) => {
  const app = await startTestApp(t);
  assert.equal((await app.put("calm", webhook("calm", "setBody: { constant: ok }"))).status, 201);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const [first, second] = [1, 2].map(() => onTerminal(t, ["top", "--interval", "0.1"], env));
  assert.ok((await first?.shown(/CPU %▾[\s\S]*calm/))?.startsWith(taken));
  first?.press("n");
  await first?.shown(/FLOW▴/);
  first?.press("\u0003");
  await second?.shown(/calm/);
  await app.close();
  await second?.shown(/does not answer[\s\S]*trying again[\s\S]*calm/);
  second?.press("q");
  for (const top of [first, second]) {
    const { code, output = "" } = (await top?.ended) ?? {};
    assert.equal(code, 0);
    assert.ok(output.endsWith(restored), JSON.stringify(output.slice(-60)));
  }
});
