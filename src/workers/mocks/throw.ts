/** The failure that a mock makes: by its Java class, an HTTP server's with what it had answered. */
import type { ThrowAction } from "../../shared/mock.ts";
import { redact } from "../../shared/redact.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import { FlowException } from "../engine/exception.ts";
import { fullClassName } from "../engine/exception-classes.ts";
import type { Headers } from "../engine/headers.ts";

const httpFailure = "org.apache.camel.http.base.HttpOperationFailedException";

/** `sentTo`: the endpoint in normal form, or the step. A failed HTTP call leaves its status in the headers, as Camel's does. */
export function failureOf(action: ThrowAction, sentTo: string, headers: Headers): FlowException {
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
