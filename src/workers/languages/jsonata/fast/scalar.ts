/** The library's operators on single values. Lists and objects need the interpreter. */
import { exactDifference, exactProduct, exactSum } from "../../../../shared/whole-numbers.ts";
import { type Closure, unsure } from "./closure.ts";

/** `$string`, also for each side of `&`. undefined stays undefined. */
export function stringOf(value: unknown): string | undefined | typeof unsure {
  switch (typeof value) {
    case "string":
    case "undefined":
      return value;
    case "boolean":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) return unsure;
      return JSON.stringify(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
    default:
      return value === null ? "null" : unsure;
  }
}

/** `$boolean`, where undefined is false. */
export function truthOf(value: unknown): boolean | typeof unsure {
  switch (typeof value) {
    case "boolean":
      return value;
    case "undefined":
      return false;
    case "string":
      return value !== "";
    case "number":
      return Number.isFinite(value) ? value !== 0 : unsure;
    default:
      return value === null ? false : unsure;
  }
}

/** `$boolean` of any data, where undefined is false: the rule of conditions. */
export function holds(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holds);
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  const truth = truthOf(value);
  return truth === unsure || truth;
}

export function concat(left: Closure, right: Closure): Closure {
  return (scope) => {
    const a = stringOf(left(scope));
    if (a === unsure) return unsure;
    const b = stringOf(right(scope));
    if (b === unsure) return unsure;
    const text = (a ?? "") + (b ?? "");
    const { budget } = scope.session;
    budget.checkSize(text.length);
    budget.keep(text.length);
    return text;
  };
}

export function equal(left: Closure, right: Closure, wanted: boolean): Closure {
  return (scope) => {
    const a = left(scope);
    if (a === unsure) return unsure;
    const b = right(scope);
    if (b === unsure) return unsure;
    if (a === undefined || b === undefined) return false;
    if (isObject(a) && isObject(b)) return unsure;
    return (a === b) === wanted;
  };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

type Compare = <T extends string | number>(a: T, b: T) => boolean;

const comparisons: Readonly<Record<string, Compare>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

export function compare(left: Closure, right: Closure, operator: string): Closure | undefined {
  const holds = comparisons[operator];
  if (holds === undefined) return undefined;
  return (scope) => {
    const a = left(scope);
    const b = a === unsure ? unsure : right(scope);
    if (typeof a === "number" && typeof b === "number") return holds(a, b);
    return typeof a === "string" && typeof b === "string" ? holds(a, b) : unsure;
  };
}

type Calculate = (a: number, b: number) => number | bigint;

const calculations: Readonly<Record<string, Calculate>> = {
  "+": exactSum,
  "-": exactDifference,
  "*": exactProduct,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

export function calculate(left: Closure, right: Closure, operator: string): Closure | undefined {
  const result = calculations[operator];
  if (result === undefined) return undefined;
  return (scope) => {
    const a = left(scope);
    const b = a === unsure ? unsure : right(scope);
    if (a !== undefined && !Number.isFinite(a)) return unsure;
    if (b !== undefined && !Number.isFinite(b)) return unsure;
    return a === undefined || b === undefined ? undefined : result(a as number, b as number);
  };
}

/** `and` and `or`. The right side is not evaluated when the left one decides. */
export function both(left: Closure, right: Closure, operator: "and" | "or"): Closure {
  return (scope) => {
    const a = truth(left, scope);
    if (a === unsure || a === (operator === "or")) return a;
    return truth(right, scope);
  };
}

export function condition(test: Closure, then: Closure, otherwise: Closure): Closure {
  return (scope) => {
    const holds = truth(test, scope);
    return holds === unsure ? unsure : (holds ? then : otherwise)(scope);
  };
}

function truth(closure: Closure, scope: Parameters<Closure>[0]): boolean | typeof unsure {
  const value = closure(scope);
  return value === unsure ? unsure : truthOf(value);
}

export function contained(left: Closure, right: Closure): Closure {
  return (scope) => {
    const a = left(scope);
    if (a === unsure) return unsure;
    const b = right(scope);
    if (b === unsure) return unsure;
    if (a === undefined || b === undefined) return false;
    return Array.isArray(b) ? b.includes(a) && !Number.isNaN(a) : a === b;
  };
}
