/** The client of a runtime's management API: its calls are typed by the OpenAPI document (openapi.ts). */
import createFetchClient, {
  type Client,
  type FetchResponse,
  type HeadersOptions,
  type MaybeOptionalInit,
  mergeHeaders,
} from "openapi-fetch";
import type { HttpMethod, MediaType, PathsWithMethod, RequiredKeysOf } from "openapi-typescript-helpers";
import { bounded } from "./bounded-answer.ts";
import { type ApiError, type ClientCode, type CodeOf, reasonOf, refusalOf, UnreachableError } from "./errors.ts";
import { type LogEvent, type StreamMessage, type StreamOptions, streamOf, type TraceEvent } from "./event-stream.ts";
import { parse, stringify } from "./json.ts";
import type { paths } from "./openapi.ts";

export interface ClientOptions {
  /** The runtime's address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The deploy token; absent: only the open health report is answered. */
  readonly token?: string | undefined;
  /** The longest time that a GET waits for the next byte of its answer: 60 s. Other calls may wait for runs, as long as `fetch` lets them. */
  readonly idleMs?: number | undefined;
  /** Sends requests; absent: the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

type StreamPath = "/_api/trace/stream" | "/_api/logs/stream";
/** Streams never end, so they have methods of their own. */
type CallPaths = Omit<paths, StreamPath>;
type QueryOf<Path extends StreamPath> = NonNullable<paths[Path]["get"]["parameters"]["query"]>;

type Json = "application/json";
/** Of several forms of an answer the client asks for JSON; some endpoints have a text only. */
type MediaOf<Operation> = Operation extends {
  readonly responses: { readonly 200: { readonly content: infer Content } };
}
  ? Json extends keyof Content
    ? Json
    : MediaType
  : Json;

/** The answer of a call: its document, or the reason why it was refused. */
export type Result<Operation extends Record<string | number, unknown>, Init> =
  | {
      readonly data: Exclude<FetchResponse<Operation, Init, MediaOf<Operation>>["data"], undefined>;
      readonly error?: undefined;
      readonly response: Response;
    }
  | {
      readonly data?: undefined;
      readonly error: ApiError<CodeOf<Operation> | ClientCode>;
      readonly response: Response;
    };

/**
 * Calls an endpoint: `path` as the OpenAPI document has it, `init` with `params.path`, `params.query`, `body` and what
 * `fetch` takes (`headers`, `signal`). `parseAs: "text"` or `"stream"` returns the answer as it comes. A body that is a
 * text is sent as it is: a flow as YAML, a value mapping as CSV, unless `headers` has its `Content-Type`.
 * Rejects with UnreachableError, and with an AbortError when `signal` is aborted.
 */
export type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<CallPaths, Method>,
  Init extends MaybeOptionalInit<CallPaths[Path], Method>,
>(
  path: Path,
  ...init: RequiredKeysOf<Init> extends never ? [(Init & Extra)?] : [Init & Extra]
) => Promise<Result<CallPaths[Path][Method] & Record<string | number, unknown>, Init>>;

type Extra = Readonly<Record<string, unknown>>;

export interface BulkheadClient {
  /** As it was given, without slashes at its end. */
  readonly url: string;
  readonly GET: Call<"get">;
  readonly PUT: Call<"put">;
  readonly POST: Call<"post">;
  readonly DELETE: Call<"delete">;
  /**
   * Sends any other request, such as a call of a flow (`/api/...`), and returns whatever is answered. The token is not
   * sent along. Rejects with UnreachableError.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Follows the trace stream until the loop is left or `options.signal` is aborted. */
  trace(query?: QueryOf<"/_api/trace/stream">, options?: StreamOptions): AsyncGenerator<StreamMessage<TraceEvent>>;
  /** Follows the log stream, as `trace` does. */
  logs(query?: QueryOf<"/_api/logs/stream">, options?: StreamOptions): AsyncGenerator<StreamMessage<LogEvent>>;
}

const usualIdleMs = 60_000;
/** The most bytes of a document, as the runtime bounds those that it is sent. */
const mostBytes = 64 * 1024 * 1024;

/** Throws TypeError for a URL that cannot be used. */
export function createClient({ url: given, token, idleMs = usualIdleMs, fetch: own }: ClientOptions): BulkheadClient {
  const url = given.replace(/\/+$/, "");
  if (!/^https?:\/\/[^?#@\s]+$/.test(url) || !URL.canParse(url))
    throw new TypeError(`'${given}' is no address of a runtime: give one such as http://127.0.0.1:8080`);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const fetch = reaching(url, own ?? ((request) => globalThis.fetch(request)));
  const http = createFetchClient<AnyPaths>({
    baseUrl: url,
    headers,
    fetch,
    redirect: "manual",
    bodySerializer: (body: unknown) => (typeof body === "string" ? body : stringify(body)),
  });
  const call =
    (method: HttpMethod) =>
    async (path: string, { parseAs, ...init }: CallInit = {}): Promise<object> => {
      // The body is read below: openapi-fetch would round long numbers.
      const bounds = {
        mostBytes: parseAs === "stream" ? undefined : mostBytes,
        idleMs: method === "get" ? idleMs : undefined,
      };
      const sent = {
        ...init,
        headers: withType(path, init),
        parseAs: "stream",
        fetch: bounded(url, fetch, bounds),
      } as const;
      const { response, error } = await http.request(method, path, sent);
      if (!response.ok) return { error: refusalOf(response, error), response };
      return { data: await dataOf(url, response, parseAs), response };
    };
  const stream = (path: StreamPath) => (query: object, options: StreamOptions) =>
    streamOf({ url: `${url}${path}`, headers, fetch }, query, options);
  const [trace, logs] = [stream("/_api/trace/stream"), stream("/_api/logs/stream")];
  const client = { url, GET: call("get"), PUT: call("put"), POST: call("post"), DELETE: call("delete") };
  return {
    ...client,
    fetch: (path, init) => fetch(new Request(`${url}${path}`, { redirect: "manual", ...init })),
    trace: (query = {}, options = {}) => trace(query, options),
    logs: (query = {}, options = {}) => logs(query, options),
  } as BulkheadClient;
}

/** The types of a call are checked where it is made; inside, paths are texts. */
type AnyPaths = Record<string, Record<HttpMethod, { readonly responses: Record<number, { content: unknown }> }>>;
type CallInit = Parameters<Client<AnyPaths>["request"]>[2] & { readonly body?: unknown };

/** A `fetch` that reports a runtime that does not answer. */
function reaching(url: string, fetch: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    try {
      return await fetch(request);
    } catch (error) {
      if (request.signal.aborted) throw error;
      throw new UnreachableError(`${url} does not answer: ${reasonOf(error)}`, { cause: error });
    }
  };
}

/** The headers of a call: a body that is a text gets the type that its endpoint takes texts in. */
function withType(path: string, { body, headers }: Pick<NonNullable<CallInit>, "body" | "headers">): HeadersOptions {
  if (typeof body !== "string") return headers ?? {};
  const type = path.startsWith("/_api/flows/")
    ? "application/yaml"
    : path.startsWith("/_api/value-mappings/")
      ? "text/csv"
      : "application/json";
  return mergeHeaders({ "Content-Type": type }, headers);
}

async function dataOf(url: string, response: Response, parseAs: string | undefined): Promise<unknown> {
  if (parseAs === "stream") return response.body;
  if (parseAs === "blob") return response.blob();
  if (parseAs === "arrayBuffer") return response.arrayBuffer();
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text().catch((error: unknown) => {
    if (error instanceof UnreachableError || (error instanceof Error && error.name === "AbortError")) throw error;
    throw new UnreachableError(`${url} has broken off its answer: ${reasonOf(error)}`, { cause: error });
  });
  if (parseAs === "text") return text;
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(type);
  if (isJson) {
    try {
      return parse(text);
    } catch (cause) {
      throw new UnreachableError(`${url} answers JSON that cannot be read: is it the runtime?`, { cause });
    }
  }
  // No endpoint answers a web page: a proxy, or another server, does.
  if (/^text\/html\b/i.test(type)) throw new UnreachableError(`${url} answers a web page: is it the runtime?`);
  return text;
}

interface AnyResult {
  readonly data?: unknown;
  readonly error?: ApiError<string> | undefined;
}

/** Resolves with the document of an answer; rejects with its ApiError when the call was refused. */
export async function orThrow<R extends AnyResult>(
  result: PromiseLike<R>,
): Promise<Extract<R, { readonly error?: undefined }>["data"]> {
  const { data, error } = await result;
  if (error !== undefined) throw error;
  return data;
}
