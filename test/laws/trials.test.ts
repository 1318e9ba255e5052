/** A change calls for the rows of the trials that could notice it. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { calledForBy } from "../../scripts/trials/called-for.ts";
import { trialRows } from "../trial-rows/index.ts";
import { readGraph } from "./graph.ts";

const root = resolve(import.meta.dirname, "../..");
const graph = readGraph();
const rowsOf = (...changed: readonly string[]): readonly string[] =>
  [...calledForBy(changed, graph).keys()].map(({ name }) => name).sort();

test("a change of a connector calls for its server's rows, and for no other server's", () => {
  const rows = rowsOf("src/workers/connectors/kafka/driver.ts");
  assert.ok(rows.includes("servers-kafka"));
  assert.deepEqual(
    rows.filter((name) => name.startsWith("servers-")),
    ["servers-kafka"],
  );
});

test("a change of what a test imports through other files calls for its row", () => {
  assert.ok(rowsOf("src/control/http/server.ts").includes("browser"));
  assert.ok(rowsOf("src/workers/languages/simple/eval.ts").includes("storm-expressions"));
});

test("a change of the page calls for the browser's row alone of those with servers", () => {
  const rows = rowsOf("designer/web/src/words.ts");
  assert.ok(rows.includes("browser"));
  assert.deepEqual(
    rows.filter((name) => name.startsWith("servers-")),
    [],
  );
});

test("a change of a page of the documentation calls for no row", () => {
  assert.deepEqual(rowsOf("docs/operating.md"), []);
});

test("a change of a test calls for the rows that run it", () => {
  assert.deepEqual(rowsOf("test/storms/soak.storm.ts"), ["storm-soak"]);
});

test("each row has a name that no other row has, and patterns that match files", () => {
  assert.equal(new Set(trialRows.map(({ name }) => name)).size, trialRows.length);
  const stale = trialRows.flatMap(({ name, files, folders = [] }) =>
    [...files, ...folders]
      .filter((pattern) => globSync(pattern, { cwd: root }).length === 0)
      .map((pattern) => `${name}: ${pattern}`),
  );
  assert.deepEqual(stale, []);
});
