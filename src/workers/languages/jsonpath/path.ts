/** Paths of Jayway's dialect: queries of RFC 9535 with calls between and behind them, evaluated within a budget. */
import type { Limits } from "../../../shared/limits.ts";
import { asText } from "../../engine/convert.ts";
import { ExpressionSyntaxError, type FlowException } from "../../engine/exception.ts";
import { Budget } from "../budget.ts";
import { splitCalls, type WrittenArgument } from "./calls.ts";
import { rewriteFilters } from "./dialect.ts";
import { type Argument, callFunction } from "./functions.ts";
import { pathLibrary, type Query, queryProblem } from "./library.ts";
import { notFound } from "./missing.ts";

export interface Path {
  /** The path in the library's syntax. */
  readonly text: string;
  /** true: the path has only names, indexes and calls, so it leads to at most one value. */
  readonly definite: boolean;
  /** true: a function is called somewhere in the path. Such a path has no `paths`. */
  readonly calls: boolean;
  /** Throws PathNotFoundException where the first names and indexes lead nowhere, and what follows them may lead to several values. */
  requireLead(root: unknown): void;
  /** Returns the values. Throws LimitExceededException, and FlowException where a call has no result. */
  values(root: unknown, limits: Limits): unknown[];
  /**
   * Returns the values, and null for each object without the name at the path's end (Jayway:
   * DEFAULT_PATH_LEAF_TO_NULL).
   */
  leaves(root: unknown, limits: Limits): unknown[];
  /** Returns the path of each value: `$['a'][0]`. */
  paths(root: unknown, limits: Limits): string[];
}

/** A part of a path: makes values of one value. */
interface Stage {
  readonly text: string;
  readonly definite: boolean;
  readonly calls: boolean;
  /** `last`: null is a value of each object that lacks the name at the end of this stage. */
  values(value: unknown, around: Evaluation, last: boolean): readonly unknown[];
}

interface Evaluation {
  readonly root: unknown;
  readonly budget: Budget;
}

const maxText = 10_000;
/** The deepest that calls stand in arguments of calls. */
const maxNesting = 10;

/** Parses a path. Throws ExpressionSyntaxError. `pathLibrary` must be loaded. */
export function parsePath(text: string): Path {
  if (text.length > maxText) throw new ExpressionSyntaxError(`a path has at most ${maxText} characters`, 0);
  const stages = parseStages(text, 0);
  const [only] = stages;
  const { budgeted } = pathLibrary.module();
  const definite = stages.every((stage) => stage.definite);
  const evaluate = (root: unknown, limits: Limits, leaves: boolean): unknown[] => {
    const budget = new Budget(limits, "jsonpath");
    return budgeted(budget, () => run(stages, root, { root, budget }, leaves));
  };
  return {
    text: textOf(stages),
    definite,
    calls: stages.some(({ calls }) => calls),
    requireLead: (root) => requireLead(stages, root),
    values: (root, limits) => evaluate(root, limits, false),
    leaves: (root, limits) => evaluate(root, limits, true),
    paths: (root, limits) =>
      only instanceof QueryStage ? budgeted(new Budget(limits, "jsonpath"), () => only.query.paths(root)) : [],
  };
}

/** Throws PathNotFoundException when a definite path leads nowhere before a call. */
function run(stages: readonly Stage[], start: unknown, around: Evaluation, leaves = false): unknown[] {
  let values: readonly unknown[] = [start];
  let definite = true;
  for (const [index, stage] of stages.entries()) {
    const last = index === stages.length - 1;
    values = values.flatMap((value) => stage.values(value, around, leaves && last));
    definite &&= stage.definite;
    if (definite && !last && values.length === 0) {
      throw notFound(`Missing property in path ${textOf(stages.slice(0, index + 1))}`);
    }
  }
  return values as unknown[];
}

function requireLead([first]: readonly Stage[], root: unknown): void {
  if (first instanceof QueryStage) first.query.lead(root);
}

function textOf(stages: readonly Stage[]): string {
  return stages.map(({ text }, index) => (index === 0 ? text : text.replace(/^\$/, ""))).join("");
}

function parseStages(text: string, nesting: number): Stage[] {
  if (nesting > maxNesting) throw new ExpressionSyntaxError(`calls nest at most ${maxNesting} deep`, 0);
  const rooted = /^[$@]/.test(text) ? text.replace(/^@/, "$") : `$.${text}`;
  const pieces = splitCalls(rooted);
  const stages = pieces.map((piece) =>
    "call" in piece
      ? new CallStage(piece.call, argumentsOf(piece.call, piece.args, nesting))
      : queryStage(piece.path, text),
  );
  return inverted(stages);
}

/**
 * Jayway reads `$..a.sum()` as `$.sum($..a)`: the first call after a path that begins with `..` has the values of the
 * path as its argument, if the path ends with a call. (CompiledPath.invertScannerFunctionRelationship)
 */
function inverted(stages: Stage[]): Stage[] {
  const [scan, call, ...more] = stages;
  if (!(scan instanceof QueryStage && call instanceof CallStage) || !scan.text.startsWith("$..")) return stages;
  if (!stages.at(-1)?.calls) return stages;
  if (call.args.length > 0) {
    const message = `${call.name}() behind a path that begins with '..' takes no arguments: Jayway would ignore them`;
    throw new ExpressionSyntaxError(message, 0);
  }
  return [new CallStage(call.name, [pathArgument([scan], call.name)], `${scan.text}.${call.name}()`), ...more];
}

function queryStage(path: string, written: string): QueryStage {
  const standard = rewriteFilters(path);
  try {
    return new QueryStage(pathLibrary.module().compile(standard));
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) throw error;
    const { message, index } = queryProblem(error);
    throw new ExpressionSyntaxError(message, standard === written ? index : 0);
  }
}

class QueryStage implements Stage {
  readonly calls = false;
  readonly query: Query;

  constructor(query: Query) {
    this.query = query;
  }

  get text(): string {
    return this.query.text;
  }

  get definite(): boolean {
    return this.query.definite;
  }

  values(value: unknown, _around: Evaluation, last: boolean): readonly unknown[] {
    return last ? this.query.leaves(value) : this.query.values(value);
  }
}

/** An argument as parsed; its value is found in the document of the evaluation. */
interface BoundArgument {
  in(around: Evaluation): Argument;
}

class CallStage implements Stage {
  readonly calls = true;
  readonly definite = true;
  readonly name: string;
  readonly args: readonly BoundArgument[];
  readonly text: string;

  constructor(name: string, args: readonly BoundArgument[], text = `.${name}()`) {
    this.name = name;
    this.args = args;
    this.text = text;
  }

  values(value: unknown, around: Evaluation): readonly unknown[] {
    const args = this.args.map((argument) => argument.in(around));
    const result = callFunction(this.name, value, args, (one) => asText(one, around.budget.maxBytes));
    if (Array.isArray(result)) around.budget.keep(16 * result.length);
    else if (typeof result === "string") around.budget.checkSize(result.length);
    return [result];
  }
}

function argumentsOf(name: string, args: readonly WrittenArgument[], nesting: number): BoundArgument[] {
  return args.map((argument) => {
    if ("path" in argument) return pathArgument(parseStages(argument.path, nesting + 1), name);
    if (countsChildren(name)) throw new ExpressionSyntaxError(`${name}() takes a path as its argument`, 0);
    return { in: () => ({ value: () => argument.value, children: () => undefined }) };
  });
}

/** Throws ExpressionSyntaxError for an argument with which Jayway counts something else than is meant. */
function pathArgument(stages: readonly Stage[], name: string): BoundArgument {
  const definite = stages.every((stage) => stage.definite);
  if (countsChildren(name) && definite) {
    const path = textOf(stages);
    throw new ExpressionSyntaxError(`write ${path}.${name}(): ${name}(${path}) counts something else in Jayway`, 0);
  }
  const calls = stages.at(-1)?.calls === true;
  const find = (start: unknown, around: Evaluation): unknown => {
    if (start === around.root) requireLead(stages, start);
    const values = run(stages, start, around);
    if (!definite) return values;
    if (values.length > 0) return values[0];
    throw pathNotFound(textOf(stages));
  };
  return {
    in: (around) => ({
      value: () => find(around.root, around),
      children: (model) => {
        const found = run(stages, model, around);
        return calls ? found : found.flatMap(childrenOf);
      },
    }),
  };
}

/** Whether the function counts what is below the path that is its argument. */
function countsChildren(name: string): boolean {
  return name === "length" || name === "size";
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

export function pathNotFound(path: string): FlowException {
  return notFound(`No results for path: ${path}`);
}
