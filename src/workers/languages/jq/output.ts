/** What jq's nodes give: values, each with its path where a path is asked for. */
import type { Path } from "./paths.ts";
import { builtList, described, isObject, JqError, type Json, shown, tick } from "./values.ts";

/** A value and where it is in the input; `path` is undefined when nobody asks, null when it is nowhere in it. */
export interface Output {
  readonly value: Json;
  readonly path: Path | null | undefined;
}

export type Outputs = Generator<Output, void, undefined>;

/** The same input where no path is asked for. */
export function plain(input: Output): Output {
  return input.path === undefined ? input : { value: input.value, path: undefined };
}

/** A value that is nowhere in the input. */
export function off(input: Output, value: Json): Output {
  return { value: value ?? null, path: input.path === undefined ? undefined : null };
}

/** A step further from an output, whose path must be known when one is asked for. */
export function further({ path }: Output, key: Json, element: Json): Output {
  if (path === undefined || path === null) return { value: element ?? null, path };
  return { value: element ?? null, path: builtList([...path, key]) };
}

/** Refuses to go on from what is nowhere in the input, where a path is asked for. */
export function requirePath({ value, path }: Output, what: string): void {
  if (path === null) throw new JqError(`Invalid path expression near attempt to ${what} ${shown(value, 30)}`);
}

export function* elements(of: Output): Outputs {
  const { value } = of;
  requirePath(of, "iterate through");
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield further(of, i, value[i]);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) yield further(of, key, value[key]);
  } else throw new JqError(`Cannot iterate over ${value === null ? "null" : described(value)}`);
}

/** `..`, without recursion: a document may be deep, and its lists long. */
export function* recurse(input: Output): Outputs {
  const stack: Iterator<Output>[] = [[input].values()];
  for (let walk = stack.at(-1); walk !== undefined; walk = stack.at(-1)) {
    const { done, value: at } = walk.next();
    if (done === true) {
      stack.pop();
      continue;
    }
    tick();
    yield at;
    if (typeof at.value === "object" && at.value !== null) stack.push(elements(at)[Symbol.iterator]());
  }
}
