/** The answer of a mock, put into the message as a producer's reply is. */
import { saysJson } from "../../shared/json-media-type.ts";
import type { RespondAction } from "../../shared/mock.ts";
import type { ExpressionCompiler } from "../compile/compile-expression.ts";
import { JsonText } from "../engine/exchange.ts";
import { parseJson } from "../engine/parse-json.ts";
import type { Expression, Processor } from "../engine/processor.ts";
import { expressionModel } from "./expression-model.ts";

/** A message that the answer does not fit into is as it was. Throws for an expression that its language does not read. */
export function compileRespond(action: RespondAction, expressions: ExpressionCompiler): Processor {
  const { headers = {}, status } = action;
  const body = bodyOf(action, expressions);
  return (exchange) => {
    const { message } = exchange;
    const value = body?.(exchange);
    const before = message.snapshot();
    try {
      if (body !== undefined) message.body = value;
      for (const [name, given] of Object.entries(headers)) {
        if (given === null) message.headers.delete(name);
        else message.headers.set(name, structuredClone(given));
      }
      if (status !== undefined) message.headers.set("CamelHttpResponseCode", status);
    } catch (error) {
      message.restore(before);
      throw error;
    }
  };
}

/**
 * undefined: the body stays. An object or a list is what a server's JSON is: its text, that can be looked into; a text is so when it is
 * JSON and the answer's Content-Type says so.
 */
function bodyOf(action: RespondAction, expressions: ExpressionCompiler): Expression | undefined {
  const { body, bodyBase64, expression, headers = {} } = action;
  if (expression !== undefined) return expressions.expression(expressionModel(expression));
  if (bodyBase64 !== undefined) return () => new Uint8Array(Buffer.from(bodyBase64, "base64"));
  if (body === undefined) return undefined;
  const text = typeof body === "object" && body !== null ? JSON.stringify(body) : body;
  const structured = text !== body || (typeof text === "string" && saysJson(headers) && isJson(text));
  return () => (structured ? new JsonText(text as string, parseJson(text as string)) : body);
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
