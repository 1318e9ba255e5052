/** Follows an event stream of a runtime over lost connections and restarts. */
import { ApiError } from "./errors.ts";
import { parse } from "./json.ts";
import type { components } from "./openapi.ts";
import { type ServerEvent, type StreamTarget, serverEvents } from "./server-events.ts";

export type TraceEvent = components["schemas"]["TraceEvent"];
export type LogEvent = components["schemas"]["LogEvent"];

/** What a stream has for its reader. */
export type StreamMessage<E> =
  /** The stream is open. `seq`: the number of its last event so far; `epoch` is another one when numbers began anew. */
  | { readonly kind: "ready"; readonly epoch: string; readonly seq: number }
  /** `id`: given as `lastEventId`, it lets a later reader go on behind this event. */
  | { readonly kind: "event"; readonly id: string; readonly event: E }
  /** Events that the reader does not get; docs/operating.md (Event streams) describes the reasons. */
  | ({ readonly kind: "dropped" } & components["schemas"]["DroppedEvents"])
  /** There is no connection any more: the next attempt is made after `afterMs`. */
  | { readonly kind: "lost"; readonly reason: string; readonly afterMs: number };

export interface StreamOptions {
  /** Ends the stream when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Goes on behind this event. */
  readonly lastEventId?: string | undefined;
  /** false: the stream ends with its first connection. */
  readonly reconnect?: boolean | undefined;
}

/** The wait before the first attempt, unless the server sets another (`retry:`), and the longest one. */
const firstWaitMs = 2000;
const longestWaitMs = 30_000;

/** What outlives a connection. */
interface Position {
  lastEventId: string | undefined;
  retryMs: number;
  /** Whether there ever was a connection. */
  opened: boolean;
  /** Attempts since the last connection. */
  failures: number;
}

/**
 * Rejects with ApiError when the runtime refuses the stream, and with UnreachableError when the first connection cannot
 * be made. Later ones are attempted without end, unless they are refused for a reason that does not pass.
 */
export async function* streamOf(
  target: StreamTarget,
  query: object,
  { signal, lastEventId, reconnect = true }: StreamOptions,
): AsyncGenerator<StreamMessage<unknown>> {
  const position: Position = { lastEventId, retryMs: firstWaitMs, opened: false, failures: 0 };
  const filtered = { ...target, url: target.url + searchOf(query) };
  while (!isAborted(signal)) {
    let reason = "the runtime has ended the stream";
    try {
      yield* messagesOf(filtered, position, signal);
    } catch (error) {
      if (isAborted(signal)) return;
      if (!position.opened || !reconnect || !passes(error)) throw error;
      reason = error instanceof Error ? error.message : String(error);
    }
    if (!reconnect || isAborted(signal)) return;
    const afterMs = waitOf(position);
    position.failures += 1;
    yield { kind: "lost", reason, afterMs };
    await pause(afterMs, signal);
  }
}

async function* messagesOf(
  target: StreamTarget,
  position: Position,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamMessage<unknown>> {
  const events = serverEvents(target, {
    lastEventId: position.lastEventId,
    signal,
    opened: () => {
      position.opened = true;
      position.failures = 0;
    },
    retry: (ms) => {
      position.retryMs = ms;
    },
  });
  for await (const event of events) {
    const message = messageOf(event);
    // Without an event so far, the next connection goes on where this one began.
    if (message?.kind === "ready") position.lastEventId ??= `${message.epoch}-${message.seq}`;
    if (event.id !== undefined) position.lastEventId = event.id;
    if (message !== undefined) yield message;
  }
}

/** undefined: the event is nothing for the reader, such as `end`, after which the connection is closed. */
function messageOf({ name, id = "", data }: ServerEvent): StreamMessage<unknown> | undefined {
  if (name === "trace" || name === "log") return { kind: "event", id, event: parse(data) };
  if (name === "ready" || name === "dropped")
    return { ...(parse(data) as object), kind: name } as StreamMessage<unknown>;
  return undefined;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Whether a later attempt may succeed: the connection broke, or the runtime is overloaded or shuts down. */
function passes(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}

/** Twice as long after each attempt, and never the same for two readers, which would all come at once. */
function waitOf({ retryMs, failures }: Position): number {
  const most = Math.min(longestWaitMs, retryMs * 2 ** failures);
  return Math.round(most * (0.75 + Math.random() / 4));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

function searchOf(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  return search.size === 0 ? "" : `?${search}`;
}
