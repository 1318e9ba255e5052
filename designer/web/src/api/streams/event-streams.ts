/**
 * Event streams: each is opened once, for all who follow it, and ended with the last of them. Events are handed over in
 * batches, each when the follower is ready for it, so that none is slowed down by another one, or flooded.
 */
import { ApiError, UnreachableError } from "../../../../../src/client/errors.ts";
import type { StreamMessage } from "../../../../../src/client/event-stream.ts";

export interface Batch<E> {
  /** In the order sent. */
  readonly events: readonly E[];
  /** How many events before these are missing: the runtime, or the follower, could not keep up. */
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
  /** The next batch comes when this one's promise is settled. */
  readonly onBatch: (batch: Batch<E>) => void | Promise<void>;
  readonly onConnection?: ((connection: Connection) => void) | undefined;
}

/** Opens the stream of an address, and goes on behind lost connections, as the client of the API does. */
export type OpenStream<E> = (signal: AbortSignal) => AsyncIterable<StreamMessage<E>>;

interface Options {
  /** Runs a function soon: what comes until then is one batch. @returns takes it back */
  readonly soon?: ((run: () => void) => () => void) | undefined;
  /** Events that wait for a follower; the oldest are dropped and counted. */
  readonly mostWaiting?: number | undefined;
  /** The pause before the first connection is attempted anew. */
  readonly retryMs?: number | undefined;
}

/** A stream that can be followed. */
export interface StreamOf<E> {
  /** Equal for all who want the same stream. */
  readonly address: string;
  readonly open: OpenStream<E>;
  /** The last events that one who comes later gets first, as the stream itself begins with such. */
  readonly replay?: number | undefined;
}

export interface EventStreams {
  /** @returns ends it for this follower */
  follow<E>(stream: StreamOf<E>, follower: Follower<E>): () => void;
}

/** A follower, with what it has not been given yet. */
interface Queue {
  readonly follower: Follower<unknown>;
  waiting: unknown[];
  dropped: number;
  isBusy: boolean;
  cancel: (() => void) | undefined;
}

interface Shared {
  readonly queues: Set<Queue>;
  readonly abort: AbortController;
  readonly replay: number;
  connection: Connection;
  /** At least the last `replay` events. */
  last: unknown[];
}

export function eventStreams({ soon = timer, mostWaiting = 5000, retryMs = 2000 }: Options = {}): EventStreams {
  const streams = new Map<string, Shared>();

  function schedule(queue: Queue): void {
    if (queue.isBusy || queue.waiting.length + queue.dropped === 0) return;
    queue.cancel ??= soon(() => void deliver(queue));
  }

  async function deliver(queue: Queue): Promise<void> {
    const { waiting: events, dropped } = queue;
    Object.assign(queue, { waiting: [], dropped: 0, isBusy: true, cancel: undefined });
    try {
      await queue.follower.onBatch({ events, dropped });
    } finally {
      queue.isBusy = false;
      schedule(queue);
    }
  }

  function add(queue: Queue, events: readonly unknown[], dropped: number): void {
    queue.waiting.push(...events);
    queue.dropped += dropped;
    // Half at a time: to shift each event off a long list would cost more than the events do.
    if (queue.waiting.length > mostWaiting) {
      const kept = queue.waiting.slice(-Math.ceil(mostWaiting / 2));
      queue.dropped += queue.waiting.length - kept.length;
      queue.waiting = kept;
    }
    schedule(queue);
  }

  function connect(stream: Shared, connection: Connection): void {
    stream.connection = connection;
    for (const { follower } of [...stream.queues]) follower.onConnection?.(connection);
  }

  function take(stream: Shared, message: StreamMessage<unknown>): void {
    if (message.kind === "ready") connect(stream, { kind: "open" });
    else if (message.kind === "lost") connect(stream, { kind: "lost", reason: message.reason });
    else if (message.kind === "dropped") for (const queue of stream.queues) add(queue, [], message.count);
    else {
      for (const queue of stream.queues) add(queue, [message.event], 0);
      if (stream.replay === 0) return;
      stream.last.push(message.event);
      if (stream.last.length >= stream.replay * 2) stream.last = stream.last.slice(-stream.replay);
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
    follow({ address, open, replay = 0 }, follower) {
      const known = streams.get(address);
      // A refused stream is asked for again by whoever comes next.
      const isKnown = known !== undefined && known.connection.kind !== "refused";
      const stream = isKnown ? known : freshStream(replay);
      const own = follower as Follower<unknown>;
      const queue: Queue = { follower: own, waiting: [], dropped: 0, isBusy: false, cancel: undefined };
      stream.queues.add(queue);
      if (!isKnown) {
        streams.set(address, stream);
        void run(stream, open);
      }
      own.onConnection?.(stream.connection);
      add(queue, stream.last.slice(-replay), 0);
      return () => {
        stream.queues.delete(queue);
        queue.cancel?.();
        if (stream.queues.size > 0) return;
        stream.abort.abort();
        if (streams.get(address) === stream) streams.delete(address);
      };
    },
  };
}

function freshStream(replay: number): Shared {
  return { queues: new Set(), abort: new AbortController(), replay, connection: { kind: "connecting" }, last: [] };
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

function timer(run: () => void): () => void {
  const set = setTimeout(run, 0);
  return () => clearTimeout(set);
}
