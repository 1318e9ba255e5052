/** Whose failed messages there are: which flow an id belongs to, and which flows have any. */
import { createHash } from "node:crypto";
import { newRunId } from "../../../shared/ids.ts";
import type { FailedTotals } from "../../state/failed-operations.ts";
import type { Owner } from "../../state/operations.ts";

/** The flows that exist, with the owners of what is kept for them. */
export interface FlowOwners {
  ids(): Iterable<string>;
  /** Resolves undefined when there is no such flow. */
  of(flowId: string): Promise<Owner | undefined>;
}

const markLength = 8;
const marks = new Map<string, string>();

/** The part of an id that is the same for all messages of a flow. */
function markOf(flowId: string): string {
  let mark = marks.get(flowId);
  if (mark === undefined) {
    mark = createHash("sha256").update(flowId).digest("hex").slice(0, markLength);
    marks.set(flowId, mark);
  }
  return mark;
}

/** Makes the id of a failed message. Ids sort by the time when they were made. */
export function newFailedId(flowId: string): string {
  return `${newRunId()}-${markOf(flowId)}`;
}

/** Returns the flows that the message with this id may belong to. */
export function flowsOf(id: string, flowIds: Iterable<string>): string[] {
  const mark = id.slice(-markLength);
  return [...flowIds].filter((flowId) => markOf(flowId) === mark);
}

/** How much is kept for each flow, as it was last counted. */
export class KeptTotals {
  readonly #byFlow = new Map<string, FailedTotals>();
  readonly #counted = new Set<string>();

  get(flowId: string): FailedTotals | undefined {
    return this.#byFlow.get(flowId);
  }

  /** Whether the flow was counted: not yet after a start, nor after a problem of the store. */
  isCounted(flowId: string): boolean {
    return this.#counted.has(flowId);
  }

  set(flowId: string, totals: FailedTotals): void {
    this.#counted.add(flowId);
    if (totals.bytes === 0) this.#byFlow.delete(flowId);
    else this.#byFlow.set(flowId, totals);
  }

  /** Something was kept for the flow; how much is counted later. */
  touch(flowId: string): void {
    if (this.#byFlow.has(flowId)) return;
    this.#byFlow.set(flowId, { waiting: 0, retrying: 0, bytes: 1, oldest: undefined });
  }

  drop(flowId: string): void {
    this.#counted.delete(flowId);
    this.#byFlow.delete(flowId);
  }

  entries(): IterableIterator<[flowId: string, totals: FailedTotals]> {
    return this.#byFlow.entries();
  }

  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#byFlow.values()) sum += bytes;
    return sum;
  }

  /** The flow that has most; undefined: none has anything. */
  get largest(): readonly [flowId: string, totals: FailedTotals] | undefined {
    let largest: [string, FailedTotals] | undefined;
    for (const entry of this.#byFlow) if (largest === undefined || entry[1].bytes > largest[1].bytes) largest = entry;
    return largest;
  }
}
