/** Defines the methods that a path may call. No others can be called. */
import { asText, convertTo } from "../../../engine/convert.ts";
import { FlowException } from "../../../engine/exception.ts";

interface Method {
  readonly least: number;
  readonly most: number;
  /** `max`: the most characters of text that it may build. */
  run(receiver: unknown, args: readonly unknown[], max: number): unknown;
}

export type MethodTable = ReadonlyMap<string, Method>;

type Run<T> = (receiver: T, args: readonly unknown[], max: number) => unknown;
/** `[function]` takes no arguments, `[function, n]` takes n, `[function, least, most]` takes a number in this range. */
type Entry<T> = readonly [run: Run<T>, least?: number, most?: number];

const toText: Method = { least: 0, most: 0, run: (receiver, _args, max) => asText(receiver, max) };

/** Makes a table for receivers of one type. The caller checks the receiver's type. */
export function methodTable<T>(entries: Readonly<Record<string, Entry<T>>>): MethodTable {
  const table = new Map<string, Method>([["toString", toText]]);
  for (const [name, [run, least = 0, most = least]] of Object.entries(entries)) {
    table.set(name, { least, most, run: run as Run<unknown> });
  }
  return table;
}

export function textArgument(args: readonly unknown[], at: number): string {
  return asText(args[at]);
}

export function integerArgument(args: readonly unknown[], at: number): number {
  const value = convertTo(args[at], "java.lang.Integer");
  if (typeof value === "number") return value;
  throw new FlowException("java.lang.IllegalArgumentException", `'${asText(args[at], 1000)}' is not a whole number`);
}

export function outOfBounds(message: string): FlowException {
  return new FlowException("java.lang.IndexOutOfBoundsException", message);
}
