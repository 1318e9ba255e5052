/** One connection to an event stream: server-sent events as the WHATWG HTML standard (9.2) has them. */
import { createParser } from "eventsource-parser";
import { reasonOf, refusalOf, UnreachableError } from "./errors.ts";

export interface ServerEvent {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: string;
}

export interface StreamTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
}

export interface ConnectionOptions {
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called when the stream is open. */
  readonly opened: () => void;
  /** Called when the server sets the time (ms) to wait before a new connection. */
  readonly retry: (ms: number) => void;
}

/** The runtime sends something every 15 s: a connection that is silent for longer is dead. */
const silentMs = 45_000;

/**
 * Opens the stream and returns its events until it ends. Rejects with ApiError when it is refused, with
 * UnreachableError when it cannot be opened or breaks, and with an AbortError when `signal` is aborted.
 */
export async function* serverEvents(
  { url, headers, fetch }: StreamTarget,
  { lastEventId, signal, opened, retry }: ConnectionOptions,
): AsyncGenerator<ServerEvent> {
  const dead = new AbortController();
  const request = new Request(url, {
    headers: {
      ...headers,
      Accept: "text/event-stream",
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
    },
    cache: "no-store",
    redirect: "manual",
    signal: signal === undefined ? dead.signal : AbortSignal.any([signal, dead.signal]),
  });
  /** Waits for the server, but not for ever. */
  const heard = async <T>(waited: Promise<T>): Promise<T> => {
    const silence = new UnreachableError(`${url} has sent nothing for ${silentMs / 1000} s`);
    const timer = setTimeout(() => dead.abort(silence), silentMs);
    return waited.finally(() => clearTimeout(timer));
  };
  const events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event: name = "message", id, data }) => events.push({ name, id, data }),
    onRetry: retry,
  });
  try {
    const response = await heard(fetch(request));
    if (!response.ok) throw refusalOf(response, await bodyOf(response));
    if (response.body === null || !/^text\/event-stream\b/i.test(response.headers.get("content-type") ?? ""))
      throw new UnreachableError(`${url} answers something other than an event stream: is it the runtime?`);
    opened();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await heard(reader.read()).catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        throw new UnreachableError(`${url} has broken off the stream: ${reasonOf(error)}`, { cause: error });
      });
      if (done) return;
      parser.feed(value);
      yield* events.splice(0);
    }
  } finally {
    // Closes the connection, however the reader has left.
    dead.abort();
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
