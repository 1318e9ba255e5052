/** `catalog`: what flows can be made of, of this version and of a runtime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { bulkhead } from "../support/command-line.ts";
import { startTestApp, token } from "../support/start-app.ts";

const kinds = ["components", "steps", "languages", "functions", "formats", "elements", "kamelets"];

test("the catalogue of the command line is that of a runtime of its version", async (t) => {
  const app = await startTestApp(t);
  const own = await bulkhead(["catalog", "--json"]);
  assert.deepEqual([own.code, own.stderr], [0, ""]);
  const catalog = JSON.parse(own.stdout) as object;
  assert.deepEqual(Object.keys(catalog), kinds);
  const theirs = await bulkhead(["catalog", "--json", "--url", app.url], { env: { BULKHEAD_TOKEN: token } });
  assert.equal(theirs.code, 0, theirs.stderr);
  // A comparison that fails would print both, a megabyte each.
  assert.ok(isDeepStrictEqual(JSON.parse(theirs.stdout), catalog), "they differ");
});

test("an entry is shown with its example, its options with their sentences and defaults, and those that are refused", async () => {
  const { code, stdout } = await bulkhead(["catalog", "components", "timer"], { width: 60 });
  assert.equal(code, 0);
  assert.match(stdout, /^timer \(consumer\)\nRuns the route again and again, /);
  assert.match(stdout, /^ {4}uri: timer:tick$/m);
  assert.match(stdout, /^ {2}period {2}duration, default 1000\n {6}The time between two ticks, at least 10 ms\.$/m);
  assert.match(
    stdout,
    /\n\nOptions of Camel that are refused, .*(?:\n.*)*\n {2}daemon\n {6}timers share the runtime's clock:/,
  );
  for (const line of stdout.split("\n").slice(2)) assert.ok(line.length <= 80, line);
  const nested = await bulkhead(["catalog", "elements", "onException"]);
  assert.match(nested.stdout, /^ {2}redeliveryPolicy\.maximumRedeliveries {2}whole number/m);
  assert.match(nested.stdout, /^ {2}redeliveryPolicy\.exchangeFormatterRef\n {6}\S/m);
});

test("a kind is a table with a line each, cut to the terminal; words that are not there are refused", async () => {
  const { stdout } = await bulkhead(["catalog", "formats"], { width: 70 });
  const [title = "", head = "", ...rows] = stdout.trimEnd().split("\n");
  assert.match(`${title}\n${head}`, /^Data formats .*\nNAME +AS +WHAT IT IS$/);
  assert.match(rows.join("\n"), /^csv +marshal, unmarshal +\S/m);
  for (const row of rows) assert.ok(row.length <= 70, row);
  for (const [words, message] of [
    [["step"], /there is no 'step' \(did you mean 'steps'\?\)/],
    [["steps", "splitt"], /there is no 'splitt' \(did you mean 'split'\?\); bulkhead catalog steps lists them/],
  ] as const) {
    const { code, stderr } = await bulkhead(["catalog", ...words]);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});
