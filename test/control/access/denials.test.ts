/** Denied calls in the log and in the metrics: all are counted, few are logged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Denials } from "../../../src/control/access/denials.ts";

function collected() {
  const lines: string[] = [];
  const denials = new Denials((flowId, message) => lines.push(`${flowId}: ${message}`));
  return { lines, denials };
}

const denial = { flowId: "f", code: "unauthenticated", mode: "enforce", reason: "no credential" } as const;

test("the first denial is logged at once, later ones as a number, and then the next one at once again", () => {
  const { lines, denials } = collected();
  for (let i = 0; i < 13; i++) denials.note(denial);
  assert.deepEqual(lines.splice(0), ["f: denied (unauthenticated): no credential"]);
  denials.flush();
  assert.deepEqual(lines.splice(0), ["f: denied (unauthenticated): no credential (12 more since)"]);
  denials.flush();
  assert.deepEqual(lines, []);
  denials.note(denial);
  assert.equal(lines.length, 1);
});

test("reasons that strangers make up do not fill the log", () => {
  const { lines, denials } = collected();
  for (let i = 0; i < 10_000; i++) denials.note({ ...denial, reason: `reason ${i} ${"x".repeat(1000)}` });
  denials.flush();
  assert.ok(lines.length <= 10, `${lines.length} lines`);
  for (const line of lines) assert.ok(line.length < 300, line);
  assert.equal(lines.at(-1), "f: denied for other reasons (9991 more since)");
});

test("all denials are counted by flow, code and mode, and a flow's counts end with its policy", () => {
  const { lines, denials } = collected();
  denials.note(denial);
  denials.note(denial);
  denials.note({ ...denial, mode: "report" });
  denials.note({ ...denial, flowId: "g", code: "forbidden" });
  assert.deepEqual(denials.counts(), [
    { flow: "f", code: "unauthenticated", mode: "enforce", count: 2 },
    { flow: "f", code: "unauthenticated", mode: "report", count: 1 },
    { flow: "g", code: "forbidden", mode: "enforce", count: 1 },
  ]);
  assert.ok(lines.includes("f: would be denied (unauthenticated): no credential"));
  denials.forget("f");
  assert.deepEqual(
    denials.counts().map(({ flow }) => flow),
    ["g"],
  );
});
