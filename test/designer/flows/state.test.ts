/** The states of a flow, and what the list says of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Deployed, FlowEntry, MappingEntry } from "../../../designer/shared/wire.ts";
import { RateMeter } from "../../../designer/web/src/flows/rates.ts";
import { rowsOf } from "../../../designer/web/src/flows/rows.ts";
import { type FlowState, stateOf } from "../../../designer/web/src/flows/state.ts";
import { type Mappings, stateWith } from "../../../designer/web/src/mappings/state.ts";

type Sides = Parameters<typeof stateOf>[0];

const kept = { draft: false, hash: "a", optionsHash: "o" };
const deployed: Deployed = { hash: "a", optionsHash: "o", revision: 3, at: "", authors: {} };
const running = { state: "Started", hash: "a", deployedHash: "a", revision: 3 };
const failed = { hash: "a", optionsHash: "o", at: "", reason: "refused" };
const all: Sides = { kept, running, deployed };
const alone: Sides = { kept, running: undefined, deployed: undefined };

const cases: Readonly<Record<FlowState, Readonly<Record<string, Sides>>>> = {
  Draft: {
    "new, not saved by its author": { ...alone, kept: { ...kept, draft: true } },
    "new, and the runtime does not answer": { ...alone, running: "unknown", kept: { ...kept, draft: true } },
  },
  Saved: {
    "on the disk only": alone,
    "deployed once, and deleted from the runtime": { ...all, running: undefined },
    "on the disk only, as far as is known": { ...alone, running: "unknown" },
  },
  Deployed: {
    "the same on both sides": all,
    "stopped, which is no other content": { ...all, running: { ...running, state: "Stopped" } },
    "somebody else has deployed the same text": { ...all, deployed: undefined },
    "as far as is known": { ...all, running: "unknown" },
    "refused once, and deployed from elsewhere since": { ...all, failed },
  },
  Modified: {
    "the text was changed": { ...all, kept: { ...kept, hash: "b" } },
    "the options were changed": { ...all, kept: { ...kept, optionsHash: "p" } },
    "the editor has more": { ...all, isUnsaved: true },
    "changed, as far as is known": { ...all, running: "unknown", kept: { ...kept, hash: "b" } },
    "somebody else has deployed the same text, and options were changed here": {
      ...all,
      deployed: { ...deployed, hash: "x", optionsHash: "x" },
    },
    "refused before the last change": { ...all, kept: { ...kept, hash: "b" }, failed },
    "refused, and changed in the editor since": {
      ...all,
      kept: { ...kept, hash: "b" },
      failed: { ...failed, hash: "b" },
      isUnsaved: true,
    },
  },
  Drifted: {
    "the runtime has another text": { ...all, running: { ...running, hash: "c", deployedHash: "c", revision: 4 } },
    "the runtime has a later revision of the same text": { ...all, running: { ...running, revision: 4 } },
    "the runtime has one of that name, and it was never deployed from here": {
      ...all,
      deployed: undefined,
      running: { ...running, hash: "c", deployedHash: "c" },
    },
    "the file in the runtime's folder was edited": { ...all, running: { ...running, state: "Changed", hash: "c" } },
  },
  Failed: {
    "the runtime could not start it": { ...all, running: { ...running, state: "Failed", deployedHash: null } },
    "the runtime has refused what the disk has": {
      ...all,
      kept: { ...kept, hash: "b" },
      failed: { ...failed, hash: "b" },
    },
    "the runtime has refused a new one": { ...alone, failed },
  },
};

for (const [state, sides] of Object.entries(cases))
  for (const [name, one] of Object.entries(sides)) test(`${state}: ${name}`, () => assert.equal(stateOf(one), state));

const noMappings: Mappings = { target: "here", entries: [], installed: { value: [], message: [] } };

test("a flow that is deployed is Modified or Drifted when a mapping that it uses is, by way of a message mapping, too", () => {
  const uses = [{ kind: "message", id: "order" }] as const;
  const entry = (kind: "value" | "message", id: string, hash: string): MappingEntry => ({
    ...{ kind, id, name: id, draft: false, hash, modified: "", etag: "" },
    uses: kind === "message" ? [{ kind: "value", id: "codes" }] : [],
    deployed: { here: { ...deployed, hash: "a" } },
  });
  const summary = (id: string, hash: string) => ({ id, hash, name: "", lastModified: "", usedBy: [] }) as never;
  const sides = (order: string, codes: string, installed: string): Mappings => ({
    target: "here",
    entries: [entry("message", "order", order), entry("value", "codes", codes)],
    installed: { message: [summary("order", "a")], value: [summary("codes", installed)] },
  });
  assert.equal(stateWith("Deployed", sides("a", "a", "a"), uses), "Deployed");
  assert.equal(stateWith("Deployed", sides("b", "a", "a"), uses), "Modified");
  assert.equal(stateWith("Deployed", sides("a", "b", "a"), uses), "Modified");
  assert.equal(stateWith("Deployed", sides("a", "a", "c"), uses), "Drifted");
  assert.equal(stateWith("Saved", sides("b", "a", "a"), uses), "Saved");
  assert.equal(stateWith("Deployed", noMappings, uses), "Deployed", "what is on the runtime only is no change of here");
  const unknown = { ...sides("a", "a", "a"), installed: { message: undefined, value: undefined } };
  assert.equal(stateWith("Deployed", unknown, uses), "Deployed", "a runtime that does not answer");
});

test("a row has health, runs a minute, errors and the reason of a failure", () => {
  const entry: FlowEntry = {
    ...{ id: "a", name: "A", category: null, draft: false, hash: "b", optionsHash: "o", modified: "", etag: "" },
    ...{ mappings: [], deployed: { here: deployed }, failed: { here: { ...failed, hash: "b" } } },
  };
  const usage = { runs: { completed: 5, failed: 2, timeout: 1, killed: 1, shed: 4, cancelled: 0 } };
  const summary = { id: "a", ...running, lastModified: "", routeCount: 0, routes: [], usage };
  const sources = { target: "here", entries: [entry], problems: [], mappings: noMappings, perMinute: () => 7 };
  const summaries = [summary] as unknown as Parameters<typeof rowsOf>[0]["summaries"];
  const [row] = rowsOf({ ...sources, summaries });
  assert.deepEqual(
    [row?.state, row?.health, row?.perMinute, row?.errors, row?.problem],
    ["Failed", "good", 7, 4, "refused"],
  );
  const [unknown] = rowsOf({ ...sources, summaries: undefined });
  assert.deepEqual([unknown?.state, unknown?.health, unknown?.errors], ["Failed", "none", undefined]);
  const [elsewhere] = rowsOf({ ...sources, target: "there", summaries: [] });
  assert.deepEqual([elsewhere?.state, elsewhere?.problem], ["Saved", undefined]);
});

test("runs a minute are those of the last minute, and unknown after a restart of the counter", () => {
  const meter = new RateMeter();
  meter.add(1000, new Map([["a", 10]]));
  assert.equal(meter.perMinute("a"), undefined);
  meter.add(31_000, new Map([["a", 25]]));
  assert.equal(meter.perMinute("a"), 30);
  for (let at = 61_000; at <= 121_000; at += 30_000) meter.add(at, new Map([["a", 25]]));
  assert.equal(meter.perMinute("a"), 0);
  meter.add(125_000, new Map([["a", 3]]));
  assert.equal(meter.perMinute("a"), undefined);
});
