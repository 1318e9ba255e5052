/** The producer of `http` and `https` endpoints (Camel: HttpProducer 4.22). */

import type { Egress } from "../../../shared/egress.ts";
import { howToRaise, type Limits } from "../../../shared/limits.ts";
import type { HttpAccess } from "../../connectors/http-access.ts";
import type { ProducerContext } from "../../engine/component.ts";
import type { Connection } from "../../engine/connections/connection.ts";
import { FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { systemResolve } from "../../engine/net/connection.ts";
import type { Processor } from "../../engine/processor.ts";
import { failedOperation, headerValue, storeAnswer, storeStatus, unpacked } from "./answer.ts";
import { type Delivery, HttpClient, type HttpRequest } from "./client.ts";
import type { MostBytes, RawAnswer } from "./exchange-once.ts";
import { AccessTokens } from "./oauth2.ts";
import type { HttpOptions } from "./options.ts";
import { requestBody } from "./request-body.ts";
import { requestHeaders } from "./request-headers.ts";
import { type HttpSettings, settingsOf } from "./settings.ts";
import { targetOf } from "./target.ts";
import { encodeHttpUri } from "./uri-text.ts";

/** One client per flow, which has its thread to itself. */
const clients = new WeakMap<Egress, HttpClient>();

export interface Parts {
  readonly settings: HttpSettings;
  /** Of calls without a connection. */
  readonly client: HttpClient;
  readonly tokens: AccessTokens | undefined;
  /** The connection that the endpoint names, and what its calls may reach beside that. */
  readonly connection: Connection<HttpAccess> | undefined;
  readonly egress: Egress;
  readonly most: MostBytes;
  readonly maxRedirects: number;
}

/** Throws an Error that names the fault of the endpoint. */
export function httpProducer(
  scheme: "http" | "https",
  options: HttpOptions,
  context: HttpContext,
  egress: Egress,
  connection: Connection<HttpAccess> | undefined,
): Processor {
  const parts = partsOf(scheme, options, context, egress, connection);
  return (exchange) => timely(exchange, parts);
}

/** What both a producer and a poller know of their endpoint. */
export type HttpContext = Pick<ProducerContext, "parameters" | "limits">;

/** Throws an Error that names the fault of the endpoint. */
export function partsOf(
  scheme: "http" | "https",
  options: HttpOptions,
  { parameters, limits }: HttpContext,
  egress: Egress,
  connection: Connection<HttpAccess> | undefined,
): Parts {
  const settings = settingsOf(scheme, options, parameters, limits);
  const client = clients.get(egress) ?? new HttpClient(egress);
  clients.set(egress, client);
  return {
    settings,
    client,
    connection,
    egress,
    tokens: settings.oauth2 && new AccessTokens(settings.oauth2, options, client),
    most: mostBytes(limits),
    maxRedirects: limits.outboundRedirects,
  };
}

/** Sends the exchange's message; the answer becomes its message. */
export function timely(exchange: Exchange, parts: Parts): Promise<void> {
  return withDeadline(exchange.run.signal, parts.settings.totalMs, (signal) => connected(exchange, parts, signal));
}

/** Calls by the endpoint's connection, with the settings that it has now. */
async function connected(exchange: Exchange, parts: Parts, signal: AbortSignal): Promise<void> {
  const { connection, egress, settings } = parts;
  if (connection === undefined) return call(exchange, parts, signal);
  const lease = await connection.share(exchange.run, signal);
  try {
    const client = clientBy(lease.client, egress);
    const tokens = settings.oauth2 && new AccessTokens(settings.oauth2, settings.options, client);
    await call(exchange, { ...parts, client, tokens }, signal);
  } finally {
    lease.release();
  }
}

/** The client of each open connection. */
const clientsBy = new WeakMap<HttpAccess, HttpClient>();

/** Returns the client of an open connection; it is closed with it. */
function clientBy(access: HttpAccess, egress: Egress): HttpClient {
  const known = clientsBy.get(access);
  if (known !== undefined) return known;
  const client = new HttpClient(egress, systemResolve, access);
  clientsBy.set(access, client);
  access.closing.add(() => client.close());
  return client;
}

function mostBytes({ outboundResponseBytes, messageBodyBytes }: Limits): MostBytes {
  return outboundResponseBytes <= messageBodyBytes
    ? { bytes: outboundResponseBytes, limit: "outboundResponseBytes" }
    : { bytes: messageBodyBytes, limit: "messageBodyBytes" };
}

async function call(exchange: Exchange, parts: Parts, signal: AbortSignal): Promise<void> {
  const { settings, most } = parts;
  const { options } = settings;
  const ignoreBody = options.ignoreResponseBody;
  const delivery: Delivery = { ...settings, most, ignoreBody, close: options.connectionClose, signal };
  const request = await requestOf(exchange, settings);
  const raw = await answered(await authorized(request, parts, delivery), parts, delivery);
  const answer = options.bridgeEndpoint || ignoreBody ? raw : await unpacked(raw, most);
  const began = exchange.run.beginSegment();
  try {
    if (options.throwExceptionOnFailure && !settings.isOk(answer.status)) {
      storeStatus(exchange.message.headers, answer);
      throw failedOperation(request, answer, settings);
    }
    storeAnswer(exchange, answer, request.method, settings);
  } finally {
    exchange.run.endSegment(began);
  }
}

/** Follows redirects, and sends credentials if the server asks for them. */
function answered(first: HttpRequest, { settings, client, maxRedirects }: Parts, how: Delivery): Promise<RawAnswer> {
  const { authorization, options } = settings;
  const send = async (request: HttpRequest): Promise<RawAnswer> => {
    const answer = await client.send(request, how);
    const asks = answer.status === 401 && /\bbasic\b/i.test(headerValue(answer, "www-authenticate") ?? "");
    // Not after a redirect to another server: the credentials are for the endpoint's own.
    if (!asks || authorization?.atOnce !== false || request.url.origin !== first.url.origin) return answer;
    return client.send(withAuthorization(request, authorization.value), how);
  };
  return options.followRedirects ? followed(first, maxRedirects, send) : send(first);
}

async function requestOf(exchange: Exchange, settings: HttpSettings): Promise<HttpRequest> {
  const { url, method } = targetOf(exchange, settings);
  const headers = requestHeaders(exchange, settings);
  const body = await requestBody(exchange, method, settings);
  if (body?.type !== undefined) headers.push("Content-Type", body.type);
  url.username = "";
  url.password = "";
  return { url, method, headers, body: body?.bytes };
}

async function authorized(request: HttpRequest, { settings, tokens }: Parts, delivery: Delivery): Promise<HttpRequest> {
  if (tokens !== undefined)
    return withAuthorization(request, `Bearer ${await tokens.token(request.url.host, delivery)}`);
  const { authorization } = settings;
  return authorization?.atOnce === true ? withAuthorization(request, authorization.value) : request;
}

/** Replaces the message's own header. */
function withAuthorization(request: HttpRequest, value: string): HttpRequest {
  const others = request.headers.filter((_, i, all) => all[i - (i % 2)]?.toLowerCase() !== "authorization");
  return { ...request, headers: [...others, "Authorization", value] };
}

/** The signal that `work` gets aborts when the run is cancelled and when the time is up. */
async function withDeadline(run: AbortSignal, ms: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(run.reason);
  const timer = setTimeout(() => {
    const message = `the request has not been answered within ${ms} ms: ${howToRaise("outboundTotalMs")}`;
    controller.abort(new FlowException("java.net.SocketTimeoutException", message));
  }, ms);
  run.addEventListener("abort", cancel, { once: true });
  try {
    if (run.aborted) cancel();
    await work(controller.signal);
  } finally {
    clearTimeout(timer);
    run.removeEventListener("abort", cancel);
  }
}

/**
 * followRedirects (Apache's client: RedirectExec, DefaultRedirectStrategy): every hop is a separate request with the
 * same checks.
 */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ofBody: ReadonlySet<string> = new Set(["content-type", "content-encoding"]);
/** Headers that identify the caller; they are not sent to another server. */
const confidential: ReadonlySet<string> = new Set(["authorization", "cookie", "host"]);

/** Rejects with LimitExceededException after `most` redirects. */
export async function followed(
  first: HttpRequest,
  most: number,
  send: (request: HttpRequest) => Promise<RawAnswer>,
): Promise<RawAnswer> {
  let request = first;
  for (let hops = 0; ; hops++) {
    const answer = await send(request);
    const next = nextRequest(request, answer);
    if (next === undefined) return answer;
    if (hops === most) {
      throw limitExceeded("outboundRedirects", `${first.url.origin} redirects more than ${most} times`);
    }
    request = next;
  }
}

/** Returns undefined for an answer that is not a redirect. */
function nextRequest(request: HttpRequest, { status, headers }: RawAnswer): HttpRequest | undefined {
  const location = headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (!redirects.has(status) || location === undefined) return undefined;
  const url = URL.parse(encodeHttpUri(Buffer.from(location, "latin1").toString()), request.url.href);
  if (url === null) {
    throw new FlowException(
      "java.net.ProtocolException",
      `the server redirects to '${location.slice(0, 200)}', no URL`,
    );
  }
  const { method } = request;
  const asGet = status === 303 ? method !== "GET" && method !== "HEAD" : status < 303 && method === "POST";
  const left = (name: string): boolean =>
    (asGet && ofBody.has(name)) || (url.origin !== request.url.origin && confidential.has(name));
  return {
    url,
    method: asGet ? "GET" : method,
    headers: request.headers.filter((_, i, all) => !left((all[i - (i % 2)] as string).toLowerCase())),
    body: asGet ? undefined : request.body,
  };
}
