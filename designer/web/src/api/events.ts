/**
 * Event streams of runtimes: one connection for each address, shared by all who follow it, and closed with the last of
 * them. Events are handed over in batches, one for each frame, so that the page stays responsive whatever comes.
 */
import { ApiError, UnreachableError } from "../../../../src/client/errors.ts";
import type { StreamMessage } from "../../../../src/client/event-stream.ts";

export interface Batch<E> {
  /** In the order sent. */
  readonly events: readonly E[];
  /** How many events before these are missing: the runtime, or this page, could not keep up. */
  readonly dropped: number;
}

export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** Another attempt follows by itself. */
  | { readonly kind: "lost"; readonly reason: string }
  /** No further attempt is made: the runtime refuses the stream. */
  | { readonly kind: "refused"; readonly error: unknown };

export interface Follower<E> {
  readonly onBatch: (batch: Batch<E>) => void;
  readonly onConnection?: ((connection: Connection) => void) | undefined;
}

/** Opens the stream of an address, and goes on behind lost connections, as the client of the API does. */
export type OpenStream<E> = (signal: AbortSignal) => AsyncIterable<StreamMessage<E>>;

interface Options {
  /** Runs a function at the next frame. @returns takes it back */
  readonly atFrame?: ((run: () => void) => () => void) | undefined;
  /** Events that wait for a frame; the oldest are dropped and counted. A hidden page has no frames. */
  readonly mostWaiting?: number | undefined;
  /** The pause before the first connection is attempted anew. */
  readonly retryMs?: number | undefined;
}

export interface EventStreams {
  /** `address`: equal for all who want the same stream. @returns ends it for this follower */
  follow<E>(address: string, open: OpenStream<E>, follower: Follower<E>): () => void;
}

interface Shared {
  readonly followers: Set<Follower<unknown>>;
  readonly abort: AbortController;
  connection: Connection;
  waiting: unknown[];
  dropped: number;
  cancelFrame: (() => void) | undefined;
}

export function eventStreams({
  atFrame = animationFrame,
  mostWaiting = 5000,
  retryMs = 2000,
}: Options = {}): EventStreams {
  const streams = new Map<string, Shared>();

  function deliver(stream: Shared): void {
    const { waiting: events, dropped } = stream;
    stream.cancelFrame = undefined;
    stream.waiting = [];
    stream.dropped = 0;
    for (const { onBatch } of [...stream.followers]) onBatch({ events, dropped });
  }

  function schedule(stream: Shared): void {
    stream.cancelFrame ??= atFrame(() => deliver(stream));
  }

  function connect(stream: Shared, connection: Connection): void {
    stream.connection = connection;
    for (const { onConnection } of [...stream.followers]) onConnection?.(connection);
  }

  function take(stream: Shared, message: StreamMessage<unknown>): void {
    if (message.kind === "ready") connect(stream, { kind: "open" });
    else if (message.kind === "lost") connect(stream, { kind: "lost", reason: message.reason });
    else {
      if (message.kind === "dropped") stream.dropped += message.count;
      else stream.waiting.push(message.event);
      // Half at a time: to shift each event off a long list would cost more than the events do.
      if (stream.waiting.length > mostWaiting) {
        const kept = stream.waiting.slice(-Math.ceil(mostWaiting / 2));
        stream.dropped += stream.waiting.length - kept.length;
        stream.waiting = kept;
      }
      schedule(stream);
    }
  }

  async function run(stream: Shared, open: OpenStream<unknown>): Promise<void> {
    const { signal } = stream.abort;
    while (!signal.aborted) {
      try {
        for await (const message of open(signal)) {
          if (signal.aborted) return;
          take(stream, message);
        }
        connect(stream, { kind: "lost", reason: "" });
      } catch (error) {
        if (signal.aborted) return;
        if (!passes(error)) {
          connect(stream, { kind: "refused", error });
          return;
        }
        connect(stream, { kind: "lost", reason: error instanceof Error ? error.message : String(error) });
      }
      await pause(retryMs, signal);
    }
  }

  return {
    follow(address, open, follower) {
      const known = streams.get(address);
      // A refused stream is asked for again by whoever comes next.
      const stream = known === undefined || known.connection.kind === "refused" ? freshStream() : known;
      const own = follower as Follower<unknown>;
      stream.followers.add(own);
      if (stream !== known) {
        streams.set(address, stream);
        void run(stream, open);
      }
      own.onConnection?.(stream.connection);
      return () => {
        stream.followers.delete(own);
        if (stream.followers.size > 0) return;
        stream.abort.abort();
        stream.cancelFrame?.();
        if (streams.get(address) === stream) streams.delete(address);
      };
    },
  };
}

function freshStream(): Shared {
  return {
    followers: new Set(),
    abort: new AbortController(),
    connection: { kind: "connecting" },
    waiting: [],
    dropped: 0,
    cancelFrame: undefined,
  };
}

/** Whether a later attempt may succeed: nobody answers, or the runtime is overloaded. */
function passes(error: unknown): boolean {
  return (
    error instanceof UnreachableError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

function animationFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
