/** Decides the URL and the method of a request (Camel: HttpHelper.createURL and createURI, HttpMethodHelper). */
import { redact } from "../../../shared/redact.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Headers } from "../../engine/headers.ts";
import { type HttpMethod, httpMethods } from "./options.ts";
import type { HttpSettings } from "./settings.ts";
import { encodeHttpUri, httpUrl, queryOf, withoutQuery } from "./uri-text.ts";

export interface Target {
  readonly url: URL;
  readonly method: HttpMethod;
}

/** Values of the message's headers that replace the endpoint's. */
interface Control {
  readonly restUri?: string | undefined;
  readonly restQuery?: string | undefined;
  readonly uri?: string | undefined;
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  readonly rawQuery?: string | undefined;
  readonly method?: string | undefined;
}

/** Removes the headers of Camel's rest producer from the message. Throws FlowException for an invalid URL or method. */
export function targetOf(exchange: Exchange, settings: HttpSettings): Target {
  const { headers } = exchange.message;
  const control = settings.options.skipControlHeaders ? {} : controlOf(headers);
  const method = methodOf(exchange, control, settings);
  headers.delete("CamelRestHttpUri");
  headers.delete("CamelRestHttpQuery");
  const text = urlText(control, settings);
  const url = httpUrl(text);
  if (url !== undefined) return { url, method };
  throw new FlowException(
    "java.lang.IllegalArgumentException",
    `Invalid url: ${text.slice(0, 200)}. If you are forwarding/bridging http endpoints, then enable the bridgeEndpoint option ` +
      `on the endpoint: ${redact(settings.uri)}`,
  );
}

function controlOf(headers: Headers): Control {
  const read = (name: string): string | undefined => {
    const value = headers.get(name);
    return value === null || value === undefined ? undefined : asText(value);
  };
  const control: Control = {
    restUri: read("CamelRestHttpUri"),
    restQuery: read("CamelRestHttpQuery"),
    uri: read("CamelHttpUri"),
    path: read("CamelHttpPath"),
    query: read("CamelHttpQuery"),
    rawQuery: read("CamelHttpRawQuery"),
    method: read("CamelHttpMethod"),
  };
  return headers.has("CamelHttpUrl") ? control : withoutWebhook(control);
}

/**
 * A webhook, which Camel does not have, sets its own target (`/api/orders?x=1`) in the same headers. Flows do not mean
 * to call this path at another server, and Camel cannot call a URI without a host, so the webhook's values are ignored.
 */
function withoutWebhook(control: Control): Control {
  const { uri, path, query } = control;
  if (uri === undefined || !uri.startsWith("/api/")) return control;
  return {
    ...control,
    uri: undefined,
    path: path === withoutQuery(uri) ? undefined : path,
    query: query === queryOf(uri) ? undefined : query,
  };
}

function urlText(control: Control, settings: HttpSettings): string {
  const { restUri, restQuery, path, rawQuery } = control;
  const given = restUri ?? (settings.options.bridgeEndpoint ? undefined : control.uri);
  const base = withPath(given ?? settings.uri, path ?? "");
  const uri = encodeHttpUri(base);
  const query = restQuery ?? rawQuery ?? control.query ?? settings.query ?? queryOf(uri);
  return query === undefined ? uri : `${withoutQuery(uri)}?${encodeHttpUri(query)}`;
}

/** Joins both with one slash; the path precedes the query. */
function withPath(uri: string, given: string): string {
  const path = given.length > 1 && given.startsWith("/") ? given.slice(1) : given;
  if (path === "") return uri;
  const query = queryOf(uri);
  const front = withoutQuery(uri);
  const base = front.endsWith("/") ? front : `${front}/`;
  return `${base}${path.replace(/^\//, "")}${query === undefined ? "" : `?${query}`}`;
}

/**
 * The endpoint's method, else the header's, else GET with a query, else POST with a body. An empty answer of another
 * server is not a body.
 */
function methodOf({ message }: Exchange, control: Control, settings: HttpSettings): HttpMethod {
  if (settings.method !== undefined) return settings.method;
  if (control.method !== undefined) return knownMethod(control.method);
  const query = control.uri === undefined ? control.query : queryOf(control.uri);
  if ((query ?? settings.query) !== undefined) return "GET";
  const { body } = message;
  const none = body === null || body === undefined || (body instanceof Uint8Array && body.length === 0);
  return none ? "GET" : "POST";
}

function knownMethod(text: string): HttpMethod {
  const method = httpMethods.find((known) => known === text.trim().toUpperCase());
  if (method !== undefined) return method;
  throw new FlowException(
    "org.apache.camel.TypeConversionException",
    `CamelHttpMethod is '${text.slice(0, 40)}': it is one of ${httpMethods.join(", ")}`,
  );
}
