/**
 * A `fetch` for event streams that takes one connection to the designer's server for all of them: over HTTP/1.1 a browser
 * opens six to a server, and streams would soon leave none for anything else.
 */
import { ApiError, UnreachableError } from "../../../../../src/client/errors.ts";
import { serverEvents } from "../../../../../src/client/server-events.ts";
import type { CarriedEvents, CarriedStream } from "../../../../shared/wire.ts";
import { ownHeader } from "../designer.ts";

interface Network {
  readonly origin: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface OneConnection {
  /** Its id. Rejects when it cannot be opened. */
  readonly ready: Promise<string>;
  readonly abort: AbortController;
  readonly streams: Map<string, ReadableStreamDefaultController<Uint8Array>>;
}

type FetchStream = (request: Request) => Promise<Response>;

/** The connection is opened with the first stream and closed with the last one. When it is lost, all of them are broken off. */
export function overOneConnection(network: Network): FetchStream {
  let current: OneConnection | undefined;
  let names = 0;

  function connect(): OneConnection {
    const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
    const one: OneConnection = { ready, abort: new AbortController(), streams: new Map() };
    // Those who wait for it report the error.
    ready.catch(() => {});
    void readEvents(network, one, { opened: resolve, ended: (name) => leave(one, name) }).catch((error: unknown) => {
      if (current === one) current = undefined;
      reject(error);
      for (const stream of one.streams.values()) stream.error(error);
      one.streams.clear();
    });
    return one;
  }

  function leave(one: OneConnection, name: string): void {
    if (!one.streams.delete(name) || one.streams.size > 0) return;
    if (current === one) current = undefined;
    one.abort.abort();
  }

  return async (request) => {
    current ??= connect();
    const one = current;
    names += 1;
    const name = String(names);
    const end = (): void => {
      if (!one.streams.has(name)) return;
      leave(one, name);
      if (!one.abort.signal.aborted) void endStream(network, one, name);
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void one.streams.set(name, controller),
      cancel: end,
    });
    request.signal.addEventListener("abort", end, { once: true });
    if (request.signal.aborted) end();
    try {
      const answer = await beginStream(network, await one.ready, name, request);
      if (answer.ok) return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
      leave(one, name);
      return answer;
    } catch (error) {
      leave(one, name);
      if (error instanceof ApiError) return refusal(error);
      throw error;
    }
  };
}

/** Hands the parts of the streams out until the connection ends, and rejects then. */
async function readEvents(
  { origin, fetch }: Network,
  { abort, streams }: OneConnection,
  { opened, ended }: { readonly opened: (id: string) => void; readonly ended: (stream: string) => void },
): Promise<never> {
  const bytes = new TextEncoder();
  const target = { url: `${origin}/designer/streams`, headers: ownHeader, fetch };
  const options = { lastEventId: undefined, signal: abort.signal, opened: () => {}, retry: () => {} };
  const take: { [Name in keyof CarriedEvents]: (event: CarriedEvents[Name]) => void } = {
    connection: ({ id }) => opened(id),
    part: ({ stream, text }) => streams.get(stream)?.enqueue(bytes.encode(text)),
    end({ stream }) {
      streams.get(stream)?.close();
      ended(stream);
    },
  };
  for await (const { name, data } of serverEvents(target, options))
    if (Object.hasOwn(take, name)) take[name as keyof CarriedEvents](JSON.parse(data) as never);
  throw new UnreachableError(`${origin} has ended the connection for event streams`);
}

async function beginStream({ origin, fetch }: Network, id: string, name: string, request: Request): Promise<Response> {
  const lastEventId = request.headers.get("last-event-id") ?? undefined;
  const carried: CarriedStream = { path: request.url.slice(origin.length), lastEventId };
  const answer = await fetch(
    new Request(`${origin}/designer/streams/${id}/${name}`, {
      method: "PUT",
      headers: { ...ownHeader, "Content-Type": "application/json" },
      body: JSON.stringify(carried),
      signal: request.signal,
    }),
  );
  // The server knows that the connection is lost before this side does.
  if (answer.status === 410) throw new UnreachableError(`${origin} has lost the connection for event streams`);
  return answer;
}

async function endStream({ origin, fetch }: Network, { ready }: OneConnection, name: string): Promise<void> {
  try {
    const path = `/designer/streams/${await ready}/${name}`;
    await fetch(new Request(`${origin}${path}`, { method: "DELETE", headers: ownHeader }));
  } catch {
    // It ends with the connection.
  }
}

/** The answer that an ApiError was made of. */
function refusal({ status, code, message }: ApiError<string>): Response {
  return Response.json({ error: message }, { status, headers: { "X-Error-Code": code } });
}
