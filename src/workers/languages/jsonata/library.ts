/**
 * The only import of jsonata. Version 2 evaluates with promises, but expressions here need their value at once; version
 * 1, which is synchronous, lets expressions reach prototypes and constructors. Since the library awaits only itself,
 * this module loads its source without `async` and `await`. It also replaces the regular expressions that flows provide
 * by linear ones.
 */

import { readFileSync } from "node:fs";
import Module from "node:module";
import {
  exactDifference,
  exactProduct,
  exactRemainder,
  exactSum,
  maxDigits,
  readWhole,
} from "../../../shared/whole-numbers.ts";
import { LateModule } from "../../engine/late-module.ts";
import { libraryFile } from "../../engine/library-files.ts";
import type { Budget } from "../budget.ts";
import { LinearRegExp } from "../linear-reg-exp.ts";
import type { SyntaxNode } from "./syntax-tree.ts";

/** The bounds, read again at each evaluation. */
interface Options {
  /** Of the evaluation under way; it is asked for its time before each node. */
  budget: Budget | undefined;
  /** The greatest depth of nested functions. */
  stack: number;
  /** The most elements of a list that is built. */
  sequence: number;
  /** The method of lists that are built. */
  push: Push;
  RegexEngine: unknown;
}

type Push = (this: unknown[], ...items: unknown[]) => number;

interface SynchronousExpression {
  evaluate(input: unknown, bindings: Readonly<Record<string, unknown>>): unknown;
  ast(): SyntaxNode;
}

export type Call = (...values: never[]) => unknown;

export interface Jsonata {
  (text: string, options: Options): SynchronousExpression;
  /** The functions that the interpreter calls itself. */
  readonly functions: Record<string, Call>;
  /** The functions of dates. */
  readonly datetime: Record<string, Call> & {
    fromMillis(millis: number, picture?: string, zone?: string): string;
  };
  /** What the interpreter calls. */
  readonly hooks: Hooks;
  /** The frame of names that all expressions share. */
  readonly staticFrame: { bind(name: string | symbol, value: unknown): void };
  /** Makes a function for expressions that checks its arguments by the signature. */
  defineFunction(call: Call, signature: string): unknown;
}

interface Hooks {
  /** Called after each node with what it has evaluated to. */
  evaluated(node: SyntaxNode, input: unknown, frame: unknown, result: unknown): void;
}

export const jsonataLibrary = new LateModule<Jsonata>(async () => synchronous());

const changes: readonly (readonly [found: RegExp, times: number, replacement: string])[] = [
  [/\basync (?=function\b|\()/g, 36, ""],
  [/\bawait (?=\w)/g, 0, ""],
  [/\bPromise\.all\(/g, 2, "("],
  [/\boptions\.timeout > 0 && Date\.now\(\) - time > options\.timeout/g, 1, "options.budget.isOver"],
  [/\bnew RegExp\((?=fullRegex, 'i'|prevParam|regexStr)/g, 3, "new LinearRegExp("],
  [
    /jsonata\.parser = parser;/g,
    1,
    "Object.assign(jsonata, { functions: fn, datetime, staticFrame, defineFunction, hooks });",
  ],
  // It would lengthen an empty list of the message.
  [/input\.push\(undefined\)/g, 1, "input = [undefined]"],
  // The library looks hooks up in each frame from the innermost on, at each node and for each frame that it makes.
  [/environment\.lookup\(Symbol\.for\('jsonata\.__evaluate_entry'\)\)/g, 1, "undefined"],
  [/environment\.lookup\(Symbol\.for\('jsonata\.__evaluate_exit'\)\)/g, 1, "hooks.evaluated"],
  [/enclosingEnvironment\.lookup\(Symbol\.for\('jsonata\.__createFrame_push'\)\)/g, 1, "undefined"],
  // It makes a function for each list.
  [
    /sequence\.push = function\(\.\.\.items\) \{[^}]*\{[^}]*\{[^}]*\}[^}]*\}[^}]*\};/g,
    1,
    "sequence.push = options.push;",
  ],
  [/(?<=var num = |result = )parseFloat\((match\[0\]|arg)\)/g, 2, "numbers.read($1)"],
  [/!isNaN\(num\) && isFinite\(num\)/g, 1, "isFinite(Number(num))"],
  [/\btypeof (?=lhs;|rhs;|aa;|bb;)(\w+)/g, 6, "numbers.kind($1)"],
  [/(?<=function isNumeric\(n\) \{)/g, 1, "if (typeof n === 'bigint') return true;"],
  [/case 'number':(?=\s+symbol = 'n';)/g, 1, "case 'bigint': case 'number':"],
  [/result = lhs \+ rhs;/g, 1, "result = numbers.sum(lhs, rhs);"],
  [/result = lhs - rhs;/g, 1, "result = numbers.difference(lhs, rhs);"],
  [/result = lhs \* rhs;/g, 1, "result = numbers.product(lhs, rhs);"],
  [/result = lhs \/ rhs;/g, 1, "result = numbers.quotient(lhs, rhs);"],
  [/result = lhs % rhs;/g, 1, "result = numbers.remainder(lhs, rhs);"],
  [/total \+= num;/g, 2, "total = numbers.sum(total, num);"],
  [/total \/ args\.length/g, 1, "numbers.quotient(total, args.length)"],
  [/Math\.(max|min)\.apply\(Math, args\)/g, 2, "numbers.$1(args)"],
  [/Math\.(abs|floor|ceil)\(arg\)/g, 3, "numbers.$1(arg)"],
  [/(?<=function round\(arg, precision\) \{)/g, 1, "if (typeof arg === 'bigint' && !(precision < 0)) return arg;"],
  [/Math\.sqrt\(arg\)/g, 1, "Math.sqrt(Number(arg))"],
  [/Math\.pow\(arg, exp\)/g, 1, "Math.pow(Number(arg), Number(exp))"],
  [/Math\.floor\((predicate\.value|ires)\)/g, 2, "Math.floor(Number($1))"],
  [
    /(?<=function (?:formatNumber|formatInteger|formatBase)\((value), [^)]*\) \{)/g,
    3,
    "if (typeof $1 === 'bigint') $1 = Number($1);",
  ],
];

function synchronous(): Jsonata {
  const path = libraryFile("jsonata");
  let source = readFileSync(path, "utf8");
  for (const [found, times, replacement] of changes) {
    const count = source.match(found)?.length ?? 0;
    if (times > 0 && count < times) throw new Error(`jsonata has changed: ${found} occurs ${count} times in ${path}`);
    source = source.replaceAll(found, replacement);
  }
  const module = new Module(path) as Module & {
    _compile(text: string, path: string): void;
    LinearRegExp: unknown;
    numbers: unknown;
    hooks: Hooks;
  };
  module.LinearRegExp = LinearRegExp;
  module.numbers = numbers;
  module.hooks = { evaluated() {} };
  module._compile(`const { LinearRegExp, numbers, hooks } = module;${source}`, path);
  return module.exports as Jsonata;
}

/** Returns the method of lists that have at most so many elements. It throws the library's own error. */
export function pushUpTo(most: number): Push {
  return function push(...items) {
    if (this.length + items.length > most) throw { code: "D2015", value: most };
    for (const item of items) this[this.length] = item;
    return this.length;
  };
}

type Numeric = number | bigint;

/** The library's source calls these as `numbers.sum(a, b)`; library.ts inserts these calls. */
export const numbers = {
  sum: exactSum,
  difference: exactDifference,
  product: exactProduct,
  remainder: exactRemainder,
  quotient: (a: Numeric, b: Numeric): number => Number(a) / Number(b),
  /** Reads the digits of a number literal or a text. */
  read: (text: string): Numeric =>
    /^-?\d+$/.test(text) && text.length <= maxDigits ? readWhole(text) : Number.parseFloat(text),
  kind: (value: unknown): string => (typeof value === "bigint" ? "number" : typeof value),
  abs: (value: Numeric): Numeric => (typeof value === "number" ? Math.abs(value) : value < 0 ? -value : value),
  floor: (value: Numeric): Numeric => (typeof value === "number" ? Math.floor(value) : value),
  ceil: (value: Numeric): Numeric => (typeof value === "number" ? Math.ceil(value) : value),
  max: (values: readonly Numeric[]): Numeric => values.reduce((most, one) => (one > most ? one : most)),
  min: (values: readonly Numeric[]): Numeric => values.reduce((least, one) => (one < least ? one : least)),
};
