/** Evaluates jq trees lazily: every node yields a stream of outputs, each with its path if paths are requested. */

import { setOwn } from "../input.ts";
import { callFunction } from "./calls.ts";
import { formatAs } from "./formats.ts";
import { dropPath, elements, newOutput, type Output, type Outputs, recurse, requirePath, stepInto } from "./output.ts";
import { deletePaths, getIndex, getPath, getSlice, type Path, setPath } from "./paths.ts";
import { bind } from "./patterns.ts";
import { Break, type Closure, lookUp, readVariable, type Scope, unknown } from "./scope.ts";
import type { Node } from "./syntax.ts";
import {
  arithmetic,
  chargeList,
  chargeText,
  checkLength,
  describeValue,
  isNumber,
  isTrue,
  JqError,
  type Json,
  type JsonObject,
  shorten,
  tick,
} from "./values.ts";

/** Yields the outputs of a function argument for a value. */
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
      return yield newOutput(input, node.value);
    case "string":
      return yield* interpolated(node, 0, "", input, scope);
    case "format":
      return yield newOutput(input, formatAs(node.name, input.value));
    case "index":
      return yield* indexes(node, input, scope);
    case "slice":
      return yield* slices(node, input, scope);
    case "iterate":
      for (const of of evaluate(node.of, input, scope)) yield* elements(of);
      return;
    case "array":
      return yield newOutput(input, node.of === undefined ? [] : collect(node.of, input, scope));
    case "object":
      return yield* objects(node.entries, 0, {}, input, scope);
    case "negate":
      for (const { value } of evaluate(node.of, dropPath(input), scope)) {
        if (!isNumber(value)) throw new JqError(`${describeValue(value)} cannot be negated`);
        yield newOutput(input, -value);
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
      for (const right of evaluate(node.right, dropPath(input), scope)) {
        for (const left of evaluate(node.left, dropPath(input), scope))
          yield newOutput(input, combine(left.value, right.value));
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
      for (const test of evaluate(node.test, dropPath(input), scope)) {
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
      for (const source of evaluate(node.source, dropPath(input), scope)) {
        yield* bind(node.patterns, source.value, scope, evaluate, (inner) => evaluate(node.body, input, inner));
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
      return yield newOutput(input, readVariable(node.name, scope));
    case "call":
      return yield* callFunction(node, input, scope, evaluate);
    case "define": {
      const { definition } = node;
      const key = `${definition.name}/${definition.parameters.length}`;
      return yield* evaluate(node.body, input, { outer: scope, function: { key, definition } });
    }
  }
}

function collect(node: Node, input: Output, scope: Scope): Json[] {
  const list: Json[] = [];
  for (const { value } of evaluate(node, dropPath(input), scope)) {
    list.push(value);
    if (list.length % 1024 === 0) checkLength(8 * list.length);
  }
  return chargeList(list);
}

type Of<K extends Node["kind"]> = Extract<Node, { readonly kind: K }>;

function* interpolated(node: Of<"string">, at: number, text: string, input: Output, scope: Scope): Outputs {
  const part = node.parts[at];
  if (part === undefined) return yield newOutput(input, chargeText(text));
  if (typeof part === "string") return yield* interpolated(node, at + 1, text + part, input, scope);
  for (const { value } of evaluate(part, dropPath(input), scope)) {
    yield* interpolated(node, at + 1, text + formatAs(node.format, value), input, scope);
  }
}

function* indexes(node: Of<"index">, input: Output, scope: Scope): Outputs {
  for (const of of evaluate(node.of, input, scope)) {
    for (const key of evaluate(node.key, dropPath(input), scope)) {
      requirePath(of, `access element ${shorten(key.value)} of`);
      yield stepInto(of, key.value, getIndex(of.value, key.value));
    }
  }
}

function* slices(node: Of<"slice">, input: Output, scope: Scope): Outputs {
  const ends = (end: Node | undefined): Iterable<Output> =>
    end === undefined ? [{ value: null, path: undefined }] : evaluate(end, dropPath(input), scope);
  for (const of of evaluate(node.of, input, scope)) {
    for (const to of ends(node.to)) {
      for (const from of ends(node.from)) {
        requirePath(of, "access a slice of");
        yield stepInto(of, { start: from.value, end: to.value }, getSlice(of.value, from.value, to.value));
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
  if (entry === undefined) return yield newOutput(input, made);
  for (const key of evaluate(entry[0], dropPath(input), scope)) {
    if (typeof key.value !== "string") throw new JqError(`Object keys must be strings`);
    for (const { value } of evaluate(entry[1], dropPath(input), scope)) {
      const copy: JsonObject = {};
      for (const known of chargeList(Object.keys(made))) setOwn(copy, known, made[known]);
      setOwn(copy, key.value, value);
      yield* objects(entries, at + 1, copy, input, scope);
    }
  }
}

function* logical(node: Of<"and" | "or">, input: Output, scope: Scope): Outputs {
  for (const left of evaluate(node.left, dropPath(input), scope)) {
    if (isTrue(left.value) === (node.kind === "or")) yield newOutput(input, node.kind === "or");
    else for (const right of evaluate(node.right, dropPath(input), scope)) yield newOutput(input, isTrue(right.value));
  }
}

/**
 * Yields all true outputs of the left side, or the outputs of the right side when there are none. An error of the left
 * side counts as no output.
 */
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

/** Catches errors of the body, but not of later filters that read its outputs. */
function* attempt(node: Of<"try">, input: Output, scope: Scope): Outputs {
  const outputs = evaluate(node.body, input, scope);
  for (;;) {
    let next: IteratorResult<Output, void>;
    try {
      next = outputs.next();
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      if (node.handler !== undefined) yield* evaluate(node.handler, newOutput(input, error.value), scope);
      return;
    }
    if (next.done) return;
    yield next.value;
  }
}

function* assignments({ operator, left, right }: Of<"assign">, input: Output, scope: Scope): Outputs {
  if (operator === "|=") return yield newOutput(input, update(left, right, input.value, scope));
  for (const { value } of evaluate(right, dropPath(input), scope)) {
    const change = (old: Json): Json => {
      if (operator === "=") return value;
      if (operator === "//=") return isTrue(old) ? old : value;
      return (arithmetic[operator[0] as string] as (a: Json, b: Json) => Json)(old, value);
    };
    let result = input.value;
    for (const path of pathsOf(left, input.value, scope)) result = setPath(result, path, change);
    yield newOutput(input, result);
  }
}

/** `|=`: takes the first output of the right side, and removes the value when there is none. */
function update(left: Node, right: Node, value: Json, scope: Scope): Json {
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
    if (!Array.isArray(output.path)) throw new JqError(`Invalid path expression with result ${shorten(output.value)}`);
    yield output.path;
  }
}

function* fold(node: Of<"reduce" | "foreach">, input: Output, scope: Scope): Outputs {
  for (const start of evaluate(node.start, input, scope)) {
    let state: Output | undefined = start;
    for (const source of evaluate(node.source, dropPath(input), scope)) {
      const steps: Outputs = bind(node.patterns, source.value, scope, evaluate, (inner) => step(node, state, inner));
      for (const output of steps) {
        if (node.kind === "foreach") yield output;
      }
    }
    if (node.kind === "reduce") yield state ?? newOutput(input, null);

    function* step(fold: Of<"reduce" | "foreach">, before: Output | undefined, inner: Scope): Outputs {
      let last: Output | undefined;
      for (const after of evaluate(fold.update, before ?? newOutput(input, null), inner)) {
        last = after;
        if (fold.kind === "foreach") {
          state = after;
          if (fold.extract === undefined) yield after;
          else yield* evaluate(fold.extract, after, inner);
        }
      }
      // A reduce whose update yields nothing continues with null.
      if (fold.kind === "reduce") state = last;
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
