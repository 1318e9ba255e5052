/**
 * Compiles expressions of the model to functions, for their language, result type and kind (value, condition, text).
 */

import type { ExpressionModel, FlowModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import { catalog } from "../catalog.ts";
import { compiledAt, type ModelPlace } from "../engine/compile-error.ts";
import { isBooleanType, isKnownType, truthy } from "../engine/convert.ts";
import type { LanguageContext, LanguageDefinition } from "../engine/language.ts";
import { convertIn, textIn } from "../engine/message-text.ts";
import type { Expression, Predicate } from "../engine/processor.ts";
import type { UseVariable } from "../engine/shared-variables.ts";

/** The parts of a flow that its expressions use. */
export interface ExpressionParts {
  readonly limits: Limits;
  /** The groups of routes by the routes' ids. */
  readonly groups: ReadonlyMap<string, string | undefined>;
  /** Without the values of secrets once the flow is compiled, because messages may then name parameters. */
  params: FlowModel["params"];
  /** Throws after the flow is compiled, for a mapping that the flow has not been given. */
  useMapping(kind: MappingKind, id: string, routeId: string, stepId: string): void;
  readonly useVariable: UseVariable;
}

export interface ExpressionCompiler {
  expression(model: ExpressionModel): Expression;
  predicate(model: ExpressionModel): Predicate;
  text(model: ExpressionModel): (...args: Parameters<Expression>) => string;
}

/** Throws CompileError `bad_expression` for a text with a syntax error, and for an unknown language or result type. */
export function expressionCompiler(parts: ExpressionParts, { routeId, stepId }: ModelPlace): ExpressionCompiler {
  const { limits } = parts;
  const context: LanguageContext = {
    limits,
    routeGroup: parts.groups.get(routeId),
    language: (name) => catalog.languages.get(name),
    property: (name) => (Object.hasOwn(parts.params, name) ? parts.params[name] : undefined),
    useMapping: (kind, id) => parts.useMapping(kind, id, routeId, stepId ?? ""),
    useVariable: parts.useVariable,
  };
  const bound = <T>(model: ExpressionModel, make: (language: LanguageDefinition, own: LanguageContext) => T): T =>
    compiledAt({ at: model.at, routeId, stepId }, "bad_expression", () => {
      const language = catalog.languages.get(model.language);
      if (language === undefined) throw new Error(`unknown language '${model.language}'`);
      const { resultType } = model;
      if (resultType !== undefined && !isKnownType(resultType)) throw new Error(`unknown resultType '${resultType}'`);
      return make(language, { ...context, resultType });
    });
  return {
    expression: (model) => bound(model, (language, own) => valueExpression(language, model, own)),
    predicate: (model) => bound(model, (language, own) => conditionOf(language, model, own)),
    text: (model) => bound(model, (language, own) => textOf(valueExpression(language, model, own))),
  };
}

function valueExpression(language: LanguageDefinition, model: ExpressionModel, context: LanguageContext): Expression {
  const { text, options, resultType } = model;
  if (resultType === undefined) return language.expression(text, options, context);
  // As in Camel, an expression with a Boolean result type is parsed as a predicate.
  if (isBooleanType(resultType) && language.predicate !== undefined) return language.predicate(text, options, context);
  const value = language.expression(text, options, context);
  return (exchange) => convertIn(exchange, value(exchange), resultType);
}

function conditionOf(language: LanguageDefinition, model: ExpressionModel, context: LanguageContext): Predicate {
  const { text, options, resultType } = model;
  const own = language.predicate;
  if (own !== undefined && (resultType === undefined || isBooleanType(resultType))) return own(text, options, context);
  const value = valueExpression(language, model, context);
  return (exchange) => truthy(value(exchange));
}

function textOf(value: Expression): (...args: Parameters<Expression>) => string {
  return (exchange) => textIn(exchange, value(exchange));
}
