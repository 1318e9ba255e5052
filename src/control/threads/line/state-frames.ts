/** Reads what a thread asks about keys and values of the state store. Throws for what the protocol does not have. */
import type { Frames } from "../../../shared/frame-shape.ts";
import { controlFields } from "../../../shared/frames-to-control.ts";
import { longestStateKey, type StateOperation, valueFrom, valueProblem } from "../../../shared/state.ts";

const { state } = controlFields;

export interface StateFrame {
  readonly id: number;
  readonly operation: StateOperation;
  readonly name: string;
  readonly key: string;
  /** Of `putIf`; undefined: the key must be absent. */
  readonly expected: string | undefined;
  /** Of `putIf`; else "". */
  readonly value: string;
}

export function readState(frames: Frames, at: number): StateFrame {
  const key = state.key(frames, at);
  if (key.length > longestStateKey) throw new Error("a key is short");
  const value = valueFrom(state.value(frames, at)) ?? "";
  const problem = valueProblem(value);
  if (problem !== undefined) throw new Error(problem);
  return {
    id: state.id(frames, at),
    operation: state.operation(frames, at),
    name: state.name(frames, at),
    key,
    expected: valueFrom(state.expected(frames, at)),
    value,
  };
}
