/** Sorts messages batch by batch (Camel: Resequencer). */
import { coercedCompare } from "../../engine/compare.ts";
import { convertTo } from "../../engine/convert.ts";
import { after } from "../../engine/waiting.ts";
import type { Delivery, Kept } from "./delivery.ts";

export interface BatchRules {
  /** 0 or less: a batch has no size. */
  readonly batchSize: number;
  /** How long a batch waits for the next message, in milliseconds. */
  readonly batchTimeout: number;
  readonly reverse: boolean;
  readonly allowDuplicates: boolean;
}

interface Entry {
  readonly key: unknown;
  readonly kept: Kept;
}

export class Batch {
  readonly #rules: BatchRules;
  readonly #delivery: Delivery;
  #entries: Entry[] = [];
  #stopTimer: (() => void) | undefined;

  constructor(rules: BatchRules, delivery: Delivery) {
    this.#rules = rules;
    this.#delivery = delivery;
  }

  /** Each message restarts the time-out. */
  add(key: unknown, kept: Kept): void {
    const { batchSize, batchTimeout } = this.#rules;
    this.#entries.push({ key, kept });
    this.#stopTimer?.();
    if (batchSize > 0 && this.#entries.length >= batchSize) this.flush();
    else this.#stopTimer = after(batchTimeout, () => this.flush());
  }

  /** Completes the batch. */
  flush(): void {
    this.#stopTimer?.();
    const { reverse, allowDuplicates } = this.#rules;
    const sign = reverse ? -1 : 1;
    const sorted = this.#entries.toSorted((one, other) => sign * order(one.key, other.key));
    this.#entries = [];
    // Sorting is stable: the first of equal messages stays.
    const isFirst = ({ key }: Entry, at: number): boolean => at === 0 || order(sorted[at - 1]?.key, key) !== 0;
    const [first, others] = allowDuplicates ? [sorted, []] : partition(sorted, isFirst);
    this.#delivery.drop(others.map(({ kept }) => kept));
    this.#delivery.handOn(first.map(({ kept }) => kept));
  }
}

/** Whole numbers are compared as such, texts of digits too (Camel: ExpressionComparator). */
function order(left: unknown, right: unknown): number {
  const [one, other] = [wholeNumber(left), wholeNumber(right)];
  if (one === undefined || other === undefined) return coercedCompare(left, right);
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns the value as a java.lang.Long; undefined for one that cannot be converted. */
export function wholeNumber(value: unknown): bigint | undefined {
  let number: unknown;
  try {
    number = convertTo(value, "java.lang.Long");
  } catch {
    return undefined;
  }
  return typeof number === "number" || typeof number === "bigint" ? BigInt(number) : undefined;
}

function partition<T>(list: readonly T[], test: (entry: T, at: number) => boolean): [T[], T[]] {
  const [held, others]: [T[], T[]] = [[], []];
  list.forEach((entry, at) => {
    (test(entry, at) ? held : others).push(entry);
  });
  return [held, others];
}
