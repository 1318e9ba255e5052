/** Calls of functions: the program's own, those written in jq, and the built-in ones. */
import type { Output, Outputs } from "./output.ts";
import { type Closure, type Evaluate, type Scope, unknown } from "./scope.ts";
import type { Definition, Node } from "./syntax.ts";

/** A builtin that is not written in jq. */
export type Native = (input: Output, args: readonly Closure[], scope: Scope) => Outputs;

/** Builtins by name and number of parameters, `map/1`; builtins.ts fills this map. */
export const builtins = new Map<string, Native | Definition>();

/** Calls the function with this name and number of arguments. Throws JqError where none is defined. */
export function callFunction(
  { name, args }: Extract<Node, { readonly kind: "call" }>,
  input: Output,
  scope: Scope,
  evaluate: Evaluate,
): Outputs {
  const key = `${name}/${args.length}`;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const own = at.function;
    if (own?.key !== key) continue;
    if (own.closure !== undefined) return evaluate(own.closure.node, input, own.closure.scope);
    return invoke(own.definition as Definition, args, input, at, scope, evaluate);
  }
  const builtin = builtins.get(key);
  if (builtin === undefined) return unknown(key);
  if ("parameters" in builtin) return invoke(builtin, args, input, root, scope, evaluate);
  return builtin(
    input,
    args.map((node) => ({ node, scope })),
    scope,
  );
}

/** The scope of builtins written in jq, which cannot see names of the program. */
const root: Scope = { outer: undefined };

/** `home`: the scope of the function's definition; it may call itself. */
function invoke(
  { parameters, body }: Definition,
  args: readonly Node[],
  input: Output,
  home: Scope,
  caller: Scope,
  evaluate: Evaluate,
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
    for (const { value } of evaluate(closure.node, { value: input.value, path: undefined }, closure.scope)) {
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
