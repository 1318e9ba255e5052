/**
 * The only door to jsonata. Version 2 evaluates with promises, and an expression here has its value at once; version 1, which
 * has it, lets expressions reach prototypes and constructors. Since the library awaits nothing but itself, it is loaded
 * without its `async` and `await`; and where it makes regular expressions of what flows write, linear ones take their place.
 */
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { LateModule } from "../../engine/late-module.ts";
import { LinearRegExp } from "../linear-reg-exp.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

/** Read anew at each evaluation. */
interface Options {
  /** Milliseconds. */
  timeout: number;
  /** Functions inside each other. */
  stack: number;
  /** Elements of a list that is built. */
  sequence: number;
  RegexEngine: unknown;
}

interface SynchronousExpression {
  evaluate(input: unknown, bindings: Readonly<Record<string, unknown>>): unknown;
  ast(): SyntaxNode;
}

export type Call = (...values: never[]) => unknown;

export interface Jsonata {
  (text: string, options: Options): SynchronousExpression;
  /** The functions as the interpreter itself calls them. */
  readonly functions: Record<string, Call>;
  /** Of dates. */
  readonly datetime: Record<string, Call> & {
    fromMillis(millis: number, picture?: string, zone?: string): string;
  };
  /** What all expressions see. */
  readonly staticFrame: { bind(name: string | symbol, value: unknown): void };
  /** A function that expressions can call, which takes what its signature says. */
  defineFunction(call: Call, signature: string): unknown;
}

export const jsonataLibrary = new LateModule<Jsonata>(async () => synchronous());

const changes: readonly (readonly [found: RegExp, times: number, replacement: string])[] = [
  [/\basync (?=function\b|\()/g, 36, ""],
  [/\bawait (?=\w)/g, 0, ""],
  [/\bPromise\.all\(/g, 2, "("],
  [/\bnew RegExp\((?=fullRegex, 'i'|prevParam|regexStr)/g, 3, "new LinearRegExp("],
  [
    /jsonata\.parser = parser;/g,
    1,
    "Object.assign(jsonata, { functions: fn, datetime, staticFrame, defineFunction });",
  ],
];

function synchronous(): Jsonata {
  const path = createRequire(import.meta.url).resolve("jsonata");
  let source = readFileSync(path, "utf8");
  for (const [found, times, replacement] of changes) {
    const count = source.match(found)?.length ?? 0;
    if (times > 0 && count < times) throw new Error(`jsonata has changed: ${found} occurs ${count} times in ${path}`);
    source = source.replaceAll(found, replacement);
  }
  const module = new Module(path) as Module & { _compile(text: string, path: string): void; LinearRegExp: unknown };
  module.LinearRegExp = LinearRegExp;
  module._compile(`const { LinearRegExp } = module;${source}`, path);
  return module.exports as Jsonata;
}
