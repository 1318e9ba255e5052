/** Evaluates an expression on a message that the caller gives, outside of any flow. */
import { parseExactly } from "../../shared/exact-json.ts";
import type { ExpressionTrialRequest, ExpressionTrialResult } from "../../shared/expression-trial.ts";
import { noMask } from "../../shared/secret-mask.ts";
import { didYouMean, listed } from "../../shared/suggest.ts";
import { catalog } from "../catalog.ts";
import { expressionCompiler } from "../compile/compile-expression.ts";
import { blankExchange } from "../engine/blank-exchange.ts";
import { exceptionMessage } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { jsonNode } from "../engine/json-node.ts";
import { NotLoaded } from "../engine/late-module.ts";
import { JsonText } from "../engine/message.ts";
import { recordedValue } from "../engine/recorded-value.ts";

const nowhere = { line: 0, column: 0, endLine: 0, endColumn: 0 };

/** Throws NotLoaded. */
export function evaluateTrial(trial: ExpressionTrialRequest): ExpressionTrialResult {
  const { language, expression: text, condition = false, resultType, params = {}, limits } = trial;
  if (!catalog.languages.has(language)) {
    const names = [...catalog.languages.keys()];
    const near = didYouMean(language.slice(0, 60), names);
    return { error: `unknown language '${language.slice(0, 60)}'${near}; there are: ${listed(names)}` };
  }
  const compilers = expressionCompiler(
    { limits, groups: new Map(), params, useMapping: refuseMapping, useVariable() {} },
    { at: nowhere, routeId: "", stepId: "" },
  );
  const model = { language, text, options: {}, at: nowhere, ...(resultType !== undefined && { resultType }) };
  try {
    const evaluate = condition ? compilers.predicate(model) : compilers.expression(model);
    const { value, cut, redacted } = recordedValue(evaluate(exchangeOf(trial)), limits.recordedBytes, noMask);
    return { value: value ?? null, cut, redacted };
  } catch (error) {
    if (error instanceof NotLoaded) throw error;
    return { error: exceptionMessage(error) };
  }
}

function refuseMapping(_kind: string, id: string): never {
  throw new Error(`it uses the mapping '${id}', which a trial does not have: try the flow instead`);
}

function exchangeOf({ body, json, headers, properties, variables, limits }: ExpressionTrialRequest): Exchange {
  const exchange = blankExchange(limits);
  const { message } = exchange;
  message.body = json === undefined ? jsonNode(body ?? null, limits.messageBodyBytes) : jsonText(json);
  for (const [name, value] of Object.entries(headers ?? {})) message.headers.set(name, value);
  for (const [name, value] of Object.entries(properties ?? {})) exchange.properties.set(name, value);
  for (const [name, value] of Object.entries(variables ?? {})) exchange.variables.set(name, value);
  return exchange;
}

function jsonText(text: string): JsonText {
  return new JsonText(text, parseExactly(text));
}
