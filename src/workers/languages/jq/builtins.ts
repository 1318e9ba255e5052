/** jq's builtins: those written in jq (prelude.ts) and the native ones. */
import { exactSum } from "../../../shared/whole-numbers.ts";
import { builtins, type Native } from "./calls.ts";
import { dateFunctions } from "./dates.ts";
import { evaluate, pathsOf, values } from "./evaluate.ts";
import { functionsOfValues } from "./functions.ts";
import { dropPath, newOutput, type Output, type Outputs, stepInto } from "./output.ts";
import { parseDefinition } from "./parser.ts";
import { deletePaths, getPath, setPath } from "./paths.ts";
import { prelude } from "./prelude.ts";
import { type Closure, hostOf } from "./scope.ts";
import { checkSteps, describeValue, isNumber, isTrue, JqError, type Json, shorten, tick, typeOf } from "./values.ts";

export function isBuiltin(key: string): boolean {
  return builtins.has(key);
}

/** Makes a builtin whose parameters are values: it is called for each combination of them. */
function ofValues(call: (input: Json, ...parameters: Json[]) => Json): Native {
  return function* (input, args) {
    for (const parameters of combinations(args, input.value)) yield newOutput(input, call(input.value, ...parameters));
  };
}

function* combinations(args: readonly Closure[], value: Json): Generator<Json[], void, undefined> {
  const [first, ...others] = args;
  if (first === undefined) return yield [];
  for (const rest of combinations(others, value))
    for (const { value: one } of values(first, value)) yield [one, ...rest];
}

function* none(): Outputs {
  yield* [];
}

function run({ node, scope }: Closure, input: Output): Outputs {
  return evaluate(node, input, scope);
}

const natives: Readonly<Record<string, Native>> = {
  "empty/0": none,
  "error/0": ({ value }) => {
    throw new JqError(value);
  },
  "error/1": ({ value }, [message]) => {
    for (const { value: one } of values(message as Closure, value)) throw new JqError(one);
    return none();
  },
  *"not/0"(input) {
    yield newOutput(input, !isTrue(input.value));
  },
  *"path/1"(input, [of]) {
    const { node, scope } = of as Closure;
    for (const path of pathsOf(node, input.value, scope)) yield newOutput(input, path);
  },
  *"getpath/1"(input, [path]) {
    for (const { value } of values(path as Closure, input.value)) {
      if (!Array.isArray(value)) throw new JqError("Path must be specified as an array");
      let at = input;
      // Where the path ends early the value is null, and the path continues.
      for (const key of value) at = stepInto(at, key, at.value === null ? null : getPath(at.value, [key]));
      yield at;
    }
  },
  "setpath/2": ofValues((value, path, element) => setPath(value, pathValue(path), () => element)),
  "delpaths/1": ofValues((value, paths) => {
    if (!Array.isArray(paths)) throw new JqError("Paths must be specified as an array");
    return deletePaths(value, paths);
  }),
  *"recurse/0"(input, _, scope) {
    yield* evaluate({ kind: "recurse" }, input, scope);
  },
  /** A loop in place of recursion, since `recurse(. + 1)` has no end. */
  *"recurse/1"(input, [step]) {
    yield input;
    const stack = [run(step as Closure, input)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      checkSteps(stack.length);
      const { done, value } = top.next();
      if (done === true) stack.pop();
      else {
        yield value;
        stack.push(run(step as Closure, value));
      }
    }
  },
  /** Evaluates the body on the same input again and again, until an error or a `limit`. */
  *"repeat/1"(input, [step]) {
    for (;;) {
      tick();
      yield* run(step as Closure, input);
    }
  },
  *"while/2"(input, [test, step]) {
    const stack: Iterator<Output>[] = [[input].values()];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      checkSteps(stack.length);
      const { done, value } = top.next();
      if (done === true) stack.pop();
      else if (holds(test as Closure, value)) {
        yield value;
        stack.push(run(step as Closure, value));
      }
    }
  },
  *"until/2"(input, [test, step]) {
    const stack: Iterator<Output>[] = [[input].values()];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      checkSteps(stack.length);
      const { done, value } = top.next();
      if (done === true) stack.pop();
      else if (holds(test as Closure, value)) yield value;
      else stack.push(run(step as Closure, value));
    }
  },
  *"range/1"(input, [upto]) {
    for (const { value } of values(upto as Closure, input.value)) yield* range(input, 0, value, 1);
  },
  *"range/2"(input, args) {
    for (const { value: from } of values(args[0] as Closure, input.value)) {
      for (const { value: upto } of values(args[1] as Closure, input.value)) yield* range(input, from, upto, 1);
    }
  },
  *"range/3"(input, args) {
    for (const { value: from } of values(args[0] as Closure, input.value)) {
      for (const { value: upto } of values(args[1] as Closure, input.value)) {
        for (const { value: by } of values(args[2] as Closure, input.value)) yield* range(input, from, upto, by);
      }
    }
  },
  *"first/1"(input, [of]) {
    const { done, value } = run(of as Closure, input).next();
    if (done !== true) yield value;
  },
  *"last/1"(input, [of]) {
    let last: Output | undefined;
    for (const output of run(of as Closure, input)) last = output;
    if (last !== undefined) yield last;
  },
  *"limit/2"(input, [count, of]) {
    for (const { value } of values(count as Closure, input.value)) {
      let left = numberOf(value, "limit");
      if (left < 0) throw new JqError("limit doesn't support negative count");
      if (left <= 0) continue;
      for (const output of run(of as Closure, input)) {
        yield output;
        left -= 1;
        if (left <= 0) break;
      }
    }
  },
  *"skip/2"(input, [count, of]) {
    for (const { value } of values(count as Closure, input.value)) {
      let left = numberOf(value, "skip");
      if (left < 0) throw new JqError("skip doesn't support negative count");
      for (const output of run(of as Closure, input)) {
        if (left <= 0) yield output;
        else left -= 1;
      }
    }
  },
  *"isempty/1"(input, [of]) {
    yield newOutput(input, run(of as Closure, dropPath(input)).next().done === true);
  },
  *"keys_unsorted/0"(input) {
    const { value } = input;
    if (Array.isArray(value))
      yield newOutput(
        input,
        value.map((_, i) => i),
      );
    else if (typeof value === "object" && value !== null) yield newOutput(input, Object.keys(value));
    else throw new JqError(`${describeValue(value)} has no keys`);
  },
  *"builtins/0"(input) {
    yield newOutput(
      input,
      [...builtins.keys()].filter((key) => !key.startsWith("_")),
    );
  },
  "input/0": () => {
    throw new JqError("No more inputs");
  },
  "inputs/0": none,
  "halt/0": () => {
    throw new JqError("halt is not possible in an expression");
  },
  "halt_error/0": ({ value }) => {
    throw new JqError(value);
  },
  "halt_error/1": ({ value }) => {
    throw new JqError(value);
  },
  "body/0": function* (input, _, scope) {
    yield newOutput(input, hostOf(scope)?.call("body", "") ?? null);
  },
  "header/1": callHost("header"),
  "header/2": callHost("header"),
  "property/1": callHost("property"),
  "property/2": callHost("property"),
  "variable/1": callHost("variable"),
  "variable/2": callHost("variable"),
};

/** Makes a builtin of a Camel function that reads the message; its second argument stands for a value that is not there. */
function callHost(name: string): Native {
  return function* (input, [argument, otherwise], scope) {
    for (const { value } of values(argument as Closure, input.value)) {
      if (typeof value !== "string") throw new JqError(`${name} needs a name; found ${describeValue(value)}`);
      const found = hostOf(scope)?.call(name, value) ?? null;
      if (found !== null || otherwise === undefined) yield newOutput(input, found);
      else for (const { value: other } of values(otherwise, input.value)) yield newOutput(input, other);
    }
  };
}

function holds(test: Closure, { value }: Output): boolean {
  for (const output of values(test, value)) return isTrue(output.value);
  return false;
}

function* range(input: Output, from: Json, upto: Json, by: Json): Outputs {
  if (!isNumber(from) || !isNumber(upto) || !isNumber(by)) throw new JqError("Range bounds must be numeric");
  if (by === 0) return;
  for (let at = from; by > 0 ? at < upto : at > upto; at = exactSum(at, by)) {
    tick();
    yield newOutput(input, at);
  }
}

function pathValue(path: Json): readonly Json[] {
  if (Array.isArray(path)) return path;
  throw new JqError("Path must be specified as an array");
}

function numberOf(value: Json, name: string): number {
  if (isNumber(value)) return Number(value);
  throw new JqError(`${name} needs a number; found ${typeOf(value)} (${shorten(value)})`);
}

for (const [key, native] of Object.entries(natives)) builtins.set(key, native);
for (const [key, call] of Object.entries({ ...functionsOfValues, ...dateFunctions })) builtins.set(key, ofValues(call));
for (const text of prelude.split(/^(?=def )/m)) {
  if (text.trim() === "") continue;
  const definition = parseDefinition(text);
  builtins.set(`${definition.name}/${definition.parameters.length}`, definition);
}
