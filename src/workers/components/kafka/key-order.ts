/** Which records of a partition keep their order: all, or those that are equal in what `orderedBy` names. */
import type { InRecord } from "../../connectors/kafka/records.ts";
import type { KafkaOptions } from "./options.ts";

/** Records in one of so many groups run one after another, so that a few wait for others than their own. */
const groups = 256;
const ofHeader = "header.";

export class KeyOrder {
  readonly #groups: readonly object[] = Array.from({ length: groups }, () => ({}));
  readonly #valueOf: (record: InRecord) => Buffer | null;

  constructor(orderedBy: string) {
    const header = Buffer.from(orderedBy.slice(ofHeader.length));
    this.#valueOf =
      orderedBy === "key"
        ? ({ key }) => key
        : ({ headers }) => headers.findLast(([name]) => name?.equals(header) === true)?.[1] ?? null;
  }

  /** Those without a value keep their order, too. */
  groupOf(record: InRecord): object {
    const value = this.#valueOf(record);
    return this.#groups[value === null ? 0 : hashOf(value) % groups] as object;
  }
}

/** FNV-1a. */
function hashOf(value: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of value) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Throws an Error for options that contradict each other. */
export function checkOrder({ orderedBy, batching, breakOnFirstError, window }: KafkaOptions): void {
  if (orderedBy === undefined) return;
  if (orderedBy !== "key" && (!orderedBy.startsWith(ofHeader) || orderedBy === ofHeader))
    throw new Error(`orderedBy is 'key', or 'header.' with the name of a header, and not '${orderedBy.slice(0, 100)}'`);
  if (batching || breakOnFirstError)
    throw new Error("orderedBy is not possible with batching or breakOnFirstError: these have one run of a partition");
  if (window === 1) throw new Error("orderedBy needs a window above 1: records run at the same time in it");
}
