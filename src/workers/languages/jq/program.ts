/** Compiles a jq text to a function of its input. */
import { ExpressionSyntaxError, exceptionMessage, FlowException } from "../../engine/exception.ts";
import type { Budget } from "../budget.ts";
import { isBuiltin } from "./builtins.ts";
import { evaluate } from "./evaluate.ts";
import { isFormat } from "./formats.ts";
import { parse } from "./parser.ts";
import type { Host } from "./scope.ts";
import type { Node, Pattern } from "./syntax.ts";
import { JqError, type Json, withBudget } from "./values.ts";

/** Returns all outputs. Throws JsonQueryException for an error of the program, LimitExceededException. */
export type Program = (input: Json, host: Host, budget: Budget) => Json[];

/** Bytes that an output of the program counts. */
const outputBytes = 8;

/** Compiles a program. Throws ExpressionSyntaxError, also for unknown names. */
export function compileProgram(text: string): Program {
  const tree = parse(text);
  checkNames(tree, { functions: new Set(), variables: new Set(["ENV", "__prog_args", "__loc__"]), labels: new Set() });
  return (input, host, budget) =>
    withBudget(budget, () => {
      const outputs: Json[] = [];
      try {
        for (const { value } of evaluate(tree, { value: input, path: undefined }, { outer: undefined, host })) {
          outputs.push(value);
          budget.keep(outputBytes);
        }
      } catch (error) {
        if (error instanceof JqError) {
          throw new FlowException("net.thisptr.jackson.jq.exception.JsonQueryException", exceptionMessage(error), {
            cause: error,
          });
        }
        if (error instanceof RangeError) throw budget.exceeded("nests too deep");
        throw error;
      }
      return outputs;
    });
}

interface Names {
  readonly functions: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
}

function checkNames(node: Node, names: Names): void {
  const check = (inner: Node | undefined, within = names): void => {
    if (inner !== undefined) checkNames(inner, within);
  };
  switch (node.kind) {
    case "variable":
      if (!names.variables.has(node.name)) throw new ExpressionSyntaxError(`$${node.name} is not defined`, 0);
      return;
    case "break":
      if (!names.labels.has(node.name)) throw new ExpressionSyntaxError(`$*label-${node.name} is not defined`, 0);
      return;
    case "format":
      if (!isFormat(node.name)) throw new ExpressionSyntaxError(`${node.name} is not a valid format`, 0);
      return;
    case "call": {
      const key = `${node.name}/${node.args.length}`;
      if (!names.functions.has(key) && !isBuiltin(key)) throw new ExpressionSyntaxError(`${key} is not defined`, 0);
      for (const argument of node.args) check(argument);
      return;
    }
    case "define": {
      const { name, parameters, body } = node.definition;
      const outer: Names = { ...names, functions: new Set([...names.functions, `${name}/${parameters.length}`]) };
      const values = parameters.filter(({ isValue }) => isValue).map((parameter) => parameter.name);
      check(body, {
        ...outer,
        functions: new Set([...outer.functions, ...parameters.map((parameter) => `${parameter.name}/0`)]),
        variables: new Set([...outer.variables, ...values]),
      });
      check(node.body, outer);
      return;
    }
    case "label":
      check(node.body, { ...names, labels: new Set([...names.labels, node.name]) });
      return;
    case "bind":
    case "reduce":
    case "foreach": {
      check(node.source);
      const variables = new Set(names.variables);
      for (const pattern of node.patterns) collectNames(pattern, variables, names);
      const inner = { ...names, variables };
      if (node.kind === "bind") check(node.body, inner);
      else {
        check(node.start);
        check(node.update, inner);
        if (node.kind === "foreach") check(node.extract, inner);
      }
      return;
    }
    case "string":
      for (const part of node.parts) if (typeof part !== "string") check(part);
      if (!isFormat(node.format)) throw new ExpressionSyntaxError(`${node.format} is not a valid format`, 0);
      return;
    case "object":
      for (const [key, value] of node.entries) {
        check(key);
        check(value);
      }
      return;
    default:
      for (const inner of Object.values(node))
        if (typeof inner === "object" && inner !== null && "kind" in inner) check(inner as Node);
  }
}

function collectNames(pattern: Pattern, variables: Set<string>, names: Names): void {
  if (pattern.kind === "variable") variables.add(pattern.name);
  else if (pattern.kind === "array") for (const element of pattern.elements) collectNames(element, variables, names);
  else {
    for (const { key, bind, value } of pattern.entries) {
      checkNames(key, { ...names, variables });
      if (bind !== undefined) variables.add(bind);
      if (value !== undefined) collectNames(value, variables, names);
    }
  }
}
