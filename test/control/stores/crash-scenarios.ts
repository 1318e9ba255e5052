/** Sequences of changes of a few flows, for the crash-state model. */
import type { RevisionContent } from "../../../src/control/stores/stores.ts";
import type { Action } from "./acknowledged.ts";
import type { Scenario } from "./crash-model.ts";

function version(text: string, n: number): RevisionContent {
  return { yaml: `# ${text}`, params: { n }, limits: { queue: n }, state: "started" };
}

function put(id: string, content: RevisionContent): Action {
  return { kind: "keep", id, content };
}

function remove(id: string, purge = false): Action {
  return { kind: "remove", id, purge };
}

function stop(id: string): Action {
  return { kind: "state", id, state: "stopped" };
}

const one = put("a", version("one", 1));
const two = put("a", version("two", 2));
/** The same YAML. */
const otherParams = put("a", version("one", 3));
const start: Action = { kind: "state", id: "a", state: "started" };
const neighbour = put("b", version("neighbour", 1));

/** The actions that may follow. */
const steps: readonly (readonly Action[])[] = [
  [one],
  [two],
  [otherParams],
  [stop("a")],
  [start],
  [remove("a")],
  [remove("a", true)],
  [neighbour],
  [two, neighbour],
  [remove("a"), put("b", version("other neighbour", 2))],
  [otherParams, remove("b")],
];

/** Builds on a state that a kill left and no sync has made durable. */
export const killed: Scenario = [[one], [stop("a")]];

/** A state that was undone durably is absent. */
export const failed: Scenario = [[one]];

/**
 * Each change by itself, and after the changes that it builds on. With the two above, the first four show that every
 * sync is necessary.
 */
export const basics: readonly Scenario[] = [
  [[one], [two], [remove("a", true)], [one]],
  [[one], [otherParams]],
  [[one], [stop("a")], [two]],
  [[one], [stop("a")], [remove("a")], [two]],
  [[one], [remove("a")], [remove("a", true)]],
  [
    [one, neighbour],
    [two, remove("b")],
  ],
];

/** All sequences of so many changes, the first of which makes a flow. */
export function sequences(length: number): Scenario[] {
  if (length === 1) return [[[one]], [[one, neighbour]]];
  return sequences(length - 1).flatMap((before) => steps.map((step) => [...before, step]));
}
