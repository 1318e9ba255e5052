/** jq trees, evaluated lazily: every node gives a stream of outputs, each with its path where a path is asked for. */

import { setOwn } from "../json-input.ts";
import { formatted } from "./formats.ts";
import { deletePaths, getIndex, getPath, getSlice, type Path, setPath } from "./paths.ts";
import type { Definition, Node, Pattern } from "./syntax.ts";
import {
  arithmetic,
  built,
  builtList,
  checkLength,
  described,
  isNumber,
  isObject,
  isTrue,
  JqError,
  type Json,
  type JsonObject,
  shown,
  tick,
} from "./values.ts";

/** A value and where it is in the input; `path` is undefined when nobody asks, null when it is nowhere in it. */
export interface Output {
  readonly value: Json;
  readonly path: Path | null | undefined;
}

export type Outputs = Generator<Output, void, undefined>;

/** A function as it is passed on: a tree and what its names mean. */
export interface Closure {
  readonly node: Node;
  readonly scope: Scope;
}

/** Names in reach: a list from the inside out. */
export interface Scope {
  readonly outer: Scope | undefined;
  readonly variable?: { readonly name: string; readonly value: Json };
  readonly label?: { readonly name: string; readonly id: object };
  /** A parameter is a function without parameters of its own. */
  readonly function?: { readonly key: string; readonly definition?: Definition; readonly closure?: Closure };
  /** What the outermost scope has for the program as a whole. */
  readonly host?: Host;
}

/** Functions that read the message: `header("x")`. */
export interface Host {
  call(name: string, argument: string): Json;
}

class Break extends Error {
  readonly id: object;

  constructor(id: object) {
    super("break");
    this.id = id;
  }
}

/** A builtin that is not written in jq. */
export type Native = (input: Output, args: readonly Closure[], scope: Scope) => Outputs;

/** By name and number of parameters, `map/1`; builtins.ts puts them here. */
export const builtins = new Map<string, Native | Definition>();

export function values(closure: Closure, value: Json): Outputs {
  return evaluate(closure.node, { value, path: undefined }, closure.scope);
}

export function* evaluate(node: Node, input: Output, scope: Scope): Outputs {
  tick();
  switch (node.kind) {
    case "identity":
      return yield input;
    case "recurse":
      return yield* recurse(input);
    case "literal":
      return yield off(input, node.value);
    case "string":
      return yield* interpolated(node, 0, "", input, scope);
    case "format":
      return yield off(input, formatted(node.name, input.value));
    case "index":
      return yield* indexes(node, input, scope);
    case "slice":
      return yield* slices(node, input, scope);
    case "iterate":
      for (const of of evaluate(node.of, input, scope)) yield* elements(of);
      return;
    case "array":
      return yield off(input, node.of === undefined ? [] : collect(node.of, input, scope));
    case "object":
      return yield* objects(node.entries, 0, {}, input, scope);
    case "negate":
      for (const { value } of evaluate(node.of, plain(input), scope)) {
        if (!isNumber(value)) throw new JqError(`${described(value)} cannot be negated`);
        yield off(input, -value);
      }
      return;
    case "pipe":
      for (const output of evaluate(node.left, input, scope)) yield* evaluate(node.right, output, scope);
      return;
    case "comma":
      yield* evaluate(node.left, input, scope);
      return yield* evaluate(node.right, input, scope);
    case "binary": {
      const combine = arithmetic[node.operator] as (a: Json, b: Json) => Json;
      for (const right of evaluate(node.right, plain(input), scope)) {
        for (const left of evaluate(node.left, plain(input), scope)) yield off(input, combine(left.value, right.value));
      }
      return;
    }
    case "and":
    case "or":
      return yield* logical(node, input, scope);
    case "alternative":
      return yield* alternative(node, input, scope);
    case "assign":
      return yield* assignments(node, input, scope);
    case "if":
      for (const test of evaluate(node.test, plain(input), scope)) {
        const branch = isTrue(test.value) ? node.yes : node.no;
        if (branch === undefined) yield input;
        else yield* evaluate(branch, input, scope);
      }
      return;
    case "try":
      return yield* attempt(node, input, scope);
    case "reduce":
    case "foreach":
      return yield* fold(node, input, scope);
    case "bind":
      for (const source of evaluate(node.source, plain(input), scope)) {
        yield* bound(node.patterns, source.value, scope, (inner) => evaluate(node.body, input, inner));
      }
      return;
    case "label":
      return yield* labelled(node, input, scope);
    case "break":
      throw new Break(
        lookUp(scope, (at) => (at.label?.name === node.name ? at.label.id : undefined)) ??
          unknown(`$*label-${node.name}`),
      );
    case "variable":
      return yield off(input, variable(node.name, scope));
    case "call":
      return yield* calls(node.name, node.args, input, scope);
    case "define": {
      const { definition } = node;
      const key = `${definition.name}/${definition.parameters.length}`;
      return yield* evaluate(node.body, input, { outer: scope, function: { key, definition } });
    }
  }
}

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
function requirePath({ value, path }: Output, what: string): void {
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
function* recurse(input: Output): Outputs {
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

function collect(node: Node, input: Output, scope: Scope): Json[] {
  const list: Json[] = [];
  for (const { value } of evaluate(node, plain(input), scope)) {
    list.push(value);
    if (list.length % 1024 === 0) checkLength(8 * list.length);
  }
  return builtList(list);
}

type Of<K extends Node["kind"]> = Extract<Node, { readonly kind: K }>;

function* interpolated(node: Of<"string">, at: number, text: string, input: Output, scope: Scope): Outputs {
  const part = node.parts[at];
  if (part === undefined) return yield off(input, built(text));
  if (typeof part === "string") return yield* interpolated(node, at + 1, text + part, input, scope);
  for (const { value } of evaluate(part, plain(input), scope)) {
    yield* interpolated(node, at + 1, text + formatted(node.format, value), input, scope);
  }
}

function* indexes(node: Of<"index">, input: Output, scope: Scope): Outputs {
  for (const of of evaluate(node.of, input, scope)) {
    for (const key of evaluate(node.key, plain(input), scope)) {
      requirePath(of, `access element ${shown(key.value)} of`);
      yield further(of, key.value, getIndex(of.value, key.value));
    }
  }
}

function* slices(node: Of<"slice">, input: Output, scope: Scope): Outputs {
  const ends = (end: Node | undefined): Iterable<Output> =>
    end === undefined ? [{ value: null, path: undefined }] : evaluate(end, plain(input), scope);
  for (const of of evaluate(node.of, input, scope)) {
    for (const to of ends(node.to)) {
      for (const from of ends(node.from)) {
        requirePath(of, "access a slice of");
        yield further(of, { start: from.value, end: to.value }, getSlice(of.value, from.value, to.value));
      }
    }
  }
}

function* objects(
  entries: Of<"object">["entries"],
  at: number,
  made: JsonObject,
  input: Output,
  scope: Scope,
): Outputs {
  const entry = entries[at];
  if (entry === undefined) return yield off(input, made);
  for (const key of evaluate(entry[0], plain(input), scope)) {
    if (typeof key.value !== "string") throw new JqError(`Object keys must be strings`);
    for (const { value } of evaluate(entry[1], plain(input), scope)) {
      const copy: JsonObject = {};
      for (const known of builtList(Object.keys(made))) setOwn(copy, known, made[known]);
      setOwn(copy, key.value, value);
      yield* objects(entries, at + 1, copy, input, scope);
    }
  }
}

function* logical(node: Of<"and" | "or">, input: Output, scope: Scope): Outputs {
  for (const left of evaluate(node.left, plain(input), scope)) {
    if (isTrue(left.value) === (node.kind === "or")) yield off(input, node.kind === "or");
    else for (const right of evaluate(node.right, plain(input), scope)) yield off(input, isTrue(right.value));
  }
}

/** All true outputs of the left; the right when there is none, errors of the left counting as none. */
function* alternative(node: Of<"alternative">, input: Output, scope: Scope): Outputs {
  let found = false;
  const outputs = evaluate(node.left, input, scope);
  for (;;) {
    let next: IteratorResult<Output, void>;
    try {
      next = outputs.next();
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      break;
    }
    if (next.done) break;
    if (isTrue(next.value.value)) {
      found = true;
      yield next.value;
    }
  }
  if (!found) yield* evaluate(node.right, input, scope);
}

/** Errors of the body, not of what is done with its outputs. */
function* attempt(node: Of<"try">, input: Output, scope: Scope): Outputs {
  const outputs = evaluate(node.body, input, scope);
  for (;;) {
    let next: IteratorResult<Output, void>;
    try {
      next = outputs.next();
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      if (node.handler !== undefined) yield* evaluate(node.handler, off(input, error.value), scope);
      return;
    }
    if (next.done) return;
    yield next.value;
  }
}

function* assignments({ operator, left, right }: Of<"assign">, input: Output, scope: Scope): Outputs {
  if (operator === "|=") return yield off(input, updated(left, right, input.value, scope));
  for (const { value } of evaluate(right, plain(input), scope)) {
    const change = (old: Json): Json => {
      if (operator === "=") return value;
      if (operator === "//=") return isTrue(old) ? old : value;
      return (arithmetic[operator[0] as string] as (a: Json, b: Json) => Json)(old, value);
    };
    let result = input.value;
    for (const path of pathsOf(left, input.value, scope)) result = setPath(result, path, change);
    yield off(input, result);
  }
}

/** `|=`: the first output of the right side, or nothing there when it has none. */
function updated(left: Node, right: Node, value: Json, scope: Scope): Json {
  let result = value;
  const empty: Path[] = [];
  for (const path of pathsOf(left, value, scope)) {
    const { done, value: first } = evaluate(right, { value: getPath(result, path), path: undefined }, scope).next();
    if (done === true) empty.push(path);
    else result = setPath(result, path, () => first.value);
  }
  return empty.length === 0 ? result : deletePaths(result, empty);
}

export function* pathsOf(node: Node, value: Json, scope: Scope): Generator<Path, void, undefined> {
  for (const output of evaluate(node, { value, path: [] }, scope)) {
    if (!Array.isArray(output.path)) throw new JqError(`Invalid path expression with result ${shown(output.value)}`);
    yield output.path;
  }
}

function* fold(node: Of<"reduce" | "foreach">, input: Output, scope: Scope): Outputs {
  for (const start of evaluate(node.start, input, scope)) {
    let state: Output | undefined = start;
    for (const source of evaluate(node.source, plain(input), scope)) {
      const steps: Outputs = bound(node.patterns, source.value, scope, (inner) => step(node, state, inner));
      for (const output of steps) {
        if (node.kind === "foreach") yield output;
      }
    }
    if (node.kind === "reduce") yield state ?? off(input, null);

    function* step(fold: Of<"reduce" | "foreach">, before: Output | undefined, inner: Scope): Outputs {
      let last: Output | undefined;
      for (const after of evaluate(fold.update, before ?? off(input, null), inner)) {
        last = after;
        if (fold.kind === "foreach") {
          state = after;
          if (fold.extract === undefined) yield after;
          else yield* evaluate(fold.extract, after, inner);
        }
      }
      // A reduce whose update gives nothing goes on with null.
      if (fold.kind === "reduce") state = last;
    }
  }
}

/** Evaluates with the names of the patterns; an error sends the value on to the next pattern (`?//`). */
function* bound(patterns: readonly Pattern[], value: Json, scope: Scope, use: (scope: Scope) => Outputs): Outputs {
  const all = patterns.length > 1 ? patterns.flatMap(namesOf) : [];
  for (const [at, pattern] of patterns.entries()) {
    const blank = all.reduce<Scope>((outer, name) => ({ outer, variable: { name, value: null } }), scope);
    const outputs = destructured(pattern, value, blank, use);
    if (at === patterns.length - 1) return yield* outputs;
    try {
      return yield* outputs;
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
    }
  }
}

function namesOf(pattern: Pattern): string[] {
  if (pattern.kind === "variable") return [pattern.name];
  if (pattern.kind === "array") return pattern.elements.flatMap(namesOf);
  return pattern.entries.flatMap(({ bind, value }) => [
    ...(bind === undefined ? [] : [bind]),
    ...(value === undefined ? [] : namesOf(value)),
  ]);
}

function* destructured(pattern: Pattern, value: Json, scope: Scope, use: (scope: Scope) => Outputs): Outputs {
  if (pattern.kind === "variable") return yield* use({ outer: scope, variable: { name: pattern.name, value } });
  if (pattern.kind === "array") {
    if (value !== null && !Array.isArray(value))
      throw new JqError(`Cannot index ${described(value).split(" ")[0]} with number`);
    return yield* inOrder(pattern.elements, 0, scope);
  }
  return yield* entriesInOrder(pattern.entries, 0, scope);

  function* inOrder(elements: readonly Pattern[], at: number, inner: Scope): Outputs {
    const element = elements[at];
    if (element === undefined) return yield* use(inner);
    yield* destructured(element, getIndex(value, at), inner, (next) => inOrder(elements, at + 1, next));
  }

  function* entriesInOrder(
    entries: Extract<Pattern, { kind: "object" }>["entries"],
    at: number,
    inner: Scope,
  ): Outputs {
    const entry = entries[at];
    if (entry === undefined) return yield* use(inner);
    for (const key of evaluate(entry.key, { value, path: undefined }, inner)) {
      if (typeof key.value !== "string")
        throw new JqError(`Cannot index ${described(value).split(" ")[0]} with ${described(key.value).split(" ")[0]}`);
      const element = getIndex(value, key.value);
      const named: Scope =
        entry.bind === undefined ? inner : { outer: inner, variable: { name: entry.bind, value: element } };
      const rest = (next: Scope): Outputs => entriesInOrder(entries, at + 1, next);
      yield* entry.value === undefined ? rest(named) : destructured(entry.value, element, named, rest);
    }
  }
}

function* labelled({ name, body }: Of<"label">, input: Output, scope: Scope): Outputs {
  const id = {};
  try {
    yield* evaluate(body, input, { outer: scope, label: { name, id } });
  } catch (error) {
    if (!(error instanceof Break) || error.id !== id) throw error;
  }
}

function variable(name: string, scope: Scope): Json {
  const found = lookUp(scope, (at) => (at.variable?.name === name ? at.variable : undefined));
  if (found !== undefined) return found.value;
  // There is no environment here.
  return name === "ENV" ? {} : name === "__prog_args" ? [] : unknown(`$${name}`);
}

export function hostOf(scope: Scope): Host | undefined {
  return lookUp(scope, (at) => at.host);
}

function lookUp<T>(scope: Scope, find: (at: Scope) => T | undefined): T | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const found = find(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unknown(what: string): never {
  throw new JqError(`${what} is not defined`);
}

function calls(name: string, args: readonly Node[], input: Output, scope: Scope): Outputs {
  const key = `${name}/${args.length}`;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const own = at.function;
    if (own?.key !== key) continue;
    if (own.closure !== undefined) return evaluate(own.closure.node, input, own.closure.scope);
    return invoke(own.definition as Definition, args, input, at, scope);
  }
  const builtin = builtins.get(key);
  if (builtin === undefined) return unknown(key);
  if ("parameters" in builtin) return invoke(builtin, args, input, root, scope);
  return builtin(
    input,
    args.map((node) => ({ node, scope })),
    scope,
  );
}

/** Builtins that are written in jq see nothing of the program. */
const root: Scope = { outer: undefined };

/** `home`: the scope in which the function is defined; it may call itself. */
function invoke(
  { parameters, body }: Definition,
  args: readonly Node[],
  input: Output,
  home: Scope,
  caller: Scope,
): Outputs {
  return withParameters(0, home);

  function withParameters(at: number, scope: Scope): Outputs {
    const parameter = parameters[at];
    if (parameter === undefined) return evaluate(body, input, scope);
    const { name, isValue } = parameter;
    const closure: Closure = { node: args[at] as Node, scope: caller };
    if (!isValue) return withParameters(at + 1, { outer: scope, function: { key: `${name}/0`, closure } });
    return eachValue(closure, name, at, scope);
  }

  function* eachValue(closure: Closure, name: string, at: number, scope: Scope): Outputs {
    for (const { value } of values(closure, input.value)) {
      const constant: Closure = { node: { kind: "literal", value }, scope: root };
      const named: Scope = {
        outer: scope,
        function: { key: `${name}/0`, closure: constant },
        variable: { name, value },
      };
      yield* withParameters(at + 1, named);
    }
  }
}
