/** Functions that Jayway's dialect calls at the end of a path: `$.items.length()`, `$..price.sum()`. */
import { exactSum } from "../../../shared/whole-numbers.ts";
import { FlowException } from "../../engine/exception.ts";

/** Computes a result from the path's value, or from the list of its values; undefined when there is none. */
export type PathFunction = (value: unknown) => unknown;

const count: PathFunction = (value) => {
  if (Array.isArray(value) || typeof value === "string") return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : undefined;
};

export const pathFunctions: Readonly<Record<string, PathFunction>> = {
  length: count,
  size: count,
  min: (value) => numbers(value).reduce((least, one) => (one < least ? one : least)),
  max: (value) => numbers(value).reduce((greatest, one) => (one > greatest ? one : greatest)),
  sum: (value) => numbers(value).reduce<number | bigint>(exactSum, 0),
  avg: (value) => mean(numbers(value).map(Number)),
  stddev(value) {
    const all = numbers(value).map(Number);
    const middle = mean(all);
    return Math.sqrt(mean(all.map((one) => (one - middle) ** 2)));
  },
  keys: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : undefined,
  first: (value) => (Array.isArray(value) ? value[0] : undefined),
  last: (value) => (Array.isArray(value) ? value.at(-1) : undefined),
};

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Throws JsonPathException when there is no number among the values. */
function numbers(value: unknown): readonly (number | bigint)[] {
  const found = (Array.isArray(value) ? value : [value]).filter(
    (one) => typeof one === "number" || typeof one === "bigint",
  );
  if (found.length > 0) return found;
  throw new FlowException(
    "com.jayway.jsonpath.JsonPathException",
    "Aggregation function attempted to calculate value using empty array",
  );
}
