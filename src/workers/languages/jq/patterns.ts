/** Destructures values by the patterns of `as`, `reduce` and `foreach`. */
import type { Outputs } from "./output.ts";
import { getIndex } from "./paths.ts";
import type { Evaluate, Scope } from "./scope.ts";
import type { Pattern } from "./syntax.ts";
import { describeValue, JqError, type Json } from "./values.ts";

/** Evaluates with the names of the patterns; after an error the next pattern is tried with the same value (`?//`). */
export function* bind(
  patterns: readonly Pattern[],
  value: Json,
  scope: Scope,
  evaluate: Evaluate,
  use: (scope: Scope) => Outputs,
): Outputs {
  const all = patterns.length > 1 ? patterns.flatMap(namesOf) : [];
  for (const [at, pattern] of patterns.entries()) {
    const blank = all.reduce<Scope>((outer, name) => ({ outer, variable: { name, value: null } }), scope);
    const outputs = destructure(pattern, value, blank, evaluate, use);
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

function* destructure(
  pattern: Pattern,
  value: Json,
  scope: Scope,
  evaluate: Evaluate,
  use: (scope: Scope) => Outputs,
): Outputs {
  if (pattern.kind === "variable") return yield* use({ outer: scope, variable: { name: pattern.name, value } });
  if (pattern.kind === "array") {
    if (value !== null && !Array.isArray(value))
      throw new JqError(`Cannot index ${describeValue(value).split(" ")[0]} with number`);
    return yield* inOrder(pattern.elements, 0, scope);
  }
  return yield* entriesInOrder(pattern.entries, 0, scope);

  function* inOrder(elements: readonly Pattern[], at: number, inner: Scope): Outputs {
    const element = elements[at];
    if (element === undefined) return yield* use(inner);
    yield* destructure(element, getIndex(value, at), inner, evaluate, (next) => inOrder(elements, at + 1, next));
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
        throw new JqError(
          `Cannot index ${describeValue(value).split(" ")[0]} with ${describeValue(key.value).split(" ")[0]}`,
        );
      const element = getIndex(value, key.value);
      const named: Scope =
        entry.bind === undefined ? inner : { outer: inner, variable: { name: entry.bind, value: element } };
      const rest = (next: Scope): Outputs => entriesInOrder(entries, at + 1, next);
      yield* entry.value === undefined ? rest(named) : destructure(entry.value, element, named, evaluate, rest);
    }
  }
}
