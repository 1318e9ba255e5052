/** A mock's `when`: matchers over body and headers, and an expression over the exchange; all of it must hold. */
import { bodyMismatches } from "../../shared/body-matcher.ts";
import { headerMismatches } from "../../shared/matchers.ts";
import type { MockCondition } from "../../shared/mock.ts";
import type { ExpressionCompiler } from "../compile/compile-expression.ts";
import type { Headers } from "../engine/headers.ts";
import { jsonData } from "../engine/json-data.ts";
import type { Predicate } from "../engine/processor.ts";
import { markupOf } from "../engine/xml-value.ts";
import { matcherRegex } from "../testing/matcher-regex.ts";
import { expressionModel } from "./expression-model.ts";

const how = { regex: matcherRegex, most: 1 };

/** Throws for an expression that its language does not read. */
export function compileCondition(condition: MockCondition, expressions: ExpressionCompiler): Predicate {
  const { body, headers, expression } = condition;
  const holds = expression === undefined ? undefined : expressions.predicate(expressionModel(expression));
  return (exchange) => {
    const { message } = exchange;
    if (headers !== undefined && headerMismatches(headers, asObject(message.headers), how).length > 0) return false;
    if (body !== undefined && bodyMismatches(body, comparable(message.body), how).length > 0) return false;
    return holds === undefined || holds(exchange);
  };
}

function asObject(headers: Headers): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...headers.entries()].map(([name, value]) => [name, comparable(value)]));
}

/** As JSON would have it; nodes are the text that they render as. */
function comparable(value: unknown): unknown {
  return markupOf(value) ?? jsonData(value);
}
