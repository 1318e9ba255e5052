/** What an answer makes of the message, or of the run when it is no good one (Camel: HttpProducer.populateResponse). */
import { redact } from "../../../shared/redact.ts";
import { isSteeringHeader } from "../../../shared/steering-header.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Headers } from "../../engine/headers.ts";
import { bodyOf, charsetOf, headerValue, mayHaveBody, textOf } from "./answer-body.ts";
import type { HttpRequest } from "./client.ts";
import type { RawAnswer } from "./exchange-once.ts";
import { commonHeaders } from "./request-headers.ts";
import type { HttpSettings } from "./settings.ts";

/** HttpProtocolHeaderFilterStrategy: of the message's own headers these do not stay beside those of the answer. */
const protocolHeaders: ReadonlySet<string> = new Set([
  ...commonHeaders,
  ...(
    "content-encoding content-language content-location content-md5 content-range dav depth destination etag expect expires from if " +
    "if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location lock-token max-forwards overwrite " +
    "proxy-authenticate proxy-authorization range referer retry-after server status-uri te timeout user-agent vary www-authenticate"
  ).split(" "),
]);

/** Leaves the message as it was when the answer does not fit into it. */
export function storeAnswer(exchange: Exchange, answer: RawAnswer, method: string, settings: HttpSettings): void {
  const { message, properties } = exchange;
  const { copyHeaders, skipResponseHeaders, ignoreResponseBody } = settings.options;
  const before = message.snapshot();
  try {
    message.body = ignoreResponseBody ? null : bodyOf(answer, method);
    const { headers } = message;
    for (const [name] of [...headers.entries()]) {
      if (!copyHeaders || protocolHeaders.has(name.toLowerCase())) headers.delete(name);
    }
    storeStatus(headers, answer);
    if (!skipResponseHeaders) {
      for (const [name, value] of answerHeaders(answer)) headers.set(name, value);
      const type = headerValue(answer, "content-type");
      if (type !== undefined) properties.set("CamelCharsetName", charsetOf(type)?.toUpperCase() ?? "UTF-8");
    }
  } catch (error) {
    message.restore(before);
    throw error;
  }
}

/** Of a failed call, too: the rest of the message is as it was. */
export function storeStatus(headers: Headers, { status, statusText }: RawAnswer): void {
  headers.set("CamelHttpResponseCode", status);
  const text = Buffer.from(statusText, "latin1").toString();
  if (text !== "") headers.set("CamelHttpResponseText", text);
}

/** Without those that steer Camel's components; a repeated name and `[a, b]` are lists. */
function answerHeaders({ headers }: RawAnswer): ReadonlyMap<string, unknown> {
  const byName = new Map<string, { readonly name: string; readonly values: string[]; list: boolean }>();
  for (const [name, raw] of headers) {
    const lower = name.toLowerCase();
    if (isSteeringHeader(lower)) continue;
    const value = Buffer.from(raw, "latin1").toString();
    const list = /^\s*\[(.*)\]\s*$/s.exec(value)?.[1];
    const values = list === undefined ? [value] : list.split(",").map((one) => one.trim());
    const present = byName.get(lower);
    if (present === undefined) {
      byName.set(lower, { name: lower === "content-type" ? "Content-Type" : name, values, list: list !== undefined });
    } else if (lower !== "content-type") {
      present.values.push(...values);
      present.list = true;
    }
  }
  return new Map([...byName.values()].map(({ name, values, list }) => [name, list ? values : values[0]]));
}

/** HttpOperationFailedException with what its getters give; secrets in the URI are masked, as Camel masks them. */
export function failedOperation(request: HttpRequest, answer: RawAnswer, settings: HttpSettings): FlowException {
  const { url, method } = request;
  const { status, statusText, headers, body } = answer;
  const uri = redact(url.href);
  const location = status >= 300 && status < 400 ? headerValue(answer, "location") : undefined;
  const charset = charsetOf(headerValue(answer, "content-type"));
  const none = settings.options.ignoreResponseBody || !mayHaveBody(answer, method);
  const details = {
    uri,
    statusCode: status,
    statusText: statusText === "" ? null : statusText,
    redirectLocation: location ?? null,
    redirectError: status >= 300 && status < 400,
    responseHeaders: Object.fromEntries(headers),
    responseBody: none ? null : (textOf(body, charset) ?? asText(body)),
    httpResponseCode: status,
    httpResponseStatus: statusText === "" ? null : statusText,
  };
  const where = location === undefined ? "" : `, redirectLocation: ${location}`;
  const message = `HTTP operation failed invoking ${uri} with statusCode: ${status}${where}`;
  return new FlowException("org.apache.camel.http.base.HttpOperationFailedException", message, { details });
}
