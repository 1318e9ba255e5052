/** The actions of mocks: an answer, which replaces the message as a producer's reply does, and a failure. */
import { saysJson } from "../../shared/http-headers.ts";
import type { RespondAction, ThrowAction } from "../../shared/mock.ts";
import { redact } from "../../shared/redact.ts";
import type { ExpressionCompiler } from "../compile/compile-expression.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import { FlowException } from "../engine/exception.ts";
import { fullClassName } from "../engine/exception-classes.ts";
import type { Headers } from "../engine/headers.ts";
import { JsonText } from "../engine/message.ts";
import { parseJson } from "../engine/parse-json.ts";
import type { Expression, Processor } from "../engine/processor.ts";
import { expressionModel } from "./mocked-flow.ts";

/**
 * Compiles an answer. When the answer exceeds a limit, the message stays unchanged. Throws for an expression that does
 * not parse.
 */
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
 * undefined: the body stays unchanged. An object or a list becomes JSON text that steps can look into, like a server's
 * answer; a text does when it is JSON and the answer's Content-Type is JSON.
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

const httpFailure = "org.apache.camel.http.base.HttpOperationFailedException";

/**
 * Makes the failure of a mock from its Java class name. `sentTo`: the endpoint in normal form, or the step. A failed
 * HTTP call leaves its status in the headers, as in Camel.
 */
export function mockFailure(action: ThrowAction, sentTo: string, headers: Headers): FlowException {
  const type = fullClassName(action.type);
  if (type !== httpFailure) return new FlowException(type, action.message);
  const uri = redact(camelUri(sentTo));
  const { statusCode = 500, responseHeaders = {}, responseBody } = action;
  const moved = statusCode >= 300 && statusCode < 400;
  const location = moved ? locationOf(responseHeaders) : null;
  const where = location === null ? "" : `, redirectLocation: ${location}`;
  const message = action.message || `HTTP operation failed invoking ${uri} with statusCode: ${statusCode}${where}`;
  headers.set("CamelHttpResponseCode", statusCode);
  const details = {
    uri,
    statusCode,
    statusText: null,
    redirectLocation: location,
    redirectError: moved,
    responseHeaders: structuredClone(responseHeaders),
    responseBody: bodyText(responseBody),
    httpResponseCode: statusCode,
    httpResponseStatus: null,
  };
  return new FlowException(type, message, { details });
}

function bodyText(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}

function locationOf(headers: Readonly<Record<string, unknown>>): string | null {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === "location");
  return name === undefined ? null : String(headers[name]);
}
