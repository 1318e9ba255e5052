/**
 * Follows event streams. A worker holds them for all pages of the browser; where there are no shared workers, the page
 * holds its own.
 */

import { DesignerError } from "../errors.ts";
import { loadSession, sessionState } from "../session.ts";
import type { Batch, Connection, Follower } from "./event-streams.ts";
import type { FromHub, SentConnection, ToHub } from "./messages.ts";
import type { SourceEvents, StreamSource } from "./sources.ts";

interface Followed {
  readonly source: StreamSource;
  readonly follower: Follower<unknown>;
}

const followed = new Map<number, Followed>();
let count = 0;
/** Of the hub; undefined: nothing was followed yet. */
let port: MessagePort | undefined;
/** Whether the worker runs. */
let isShared = false;

/** Batches come once a frame at most. @returns ends it */
export function followStream<Source extends StreamSource>(
  source: Source,
  follower: Follower<SourceEvents[Source["kind"]]>,
): () => void {
  count += 1;
  const id = count;
  const one = { source, follower: follower as Follower<unknown> };
  followed.set(id, one);
  if (port === undefined) connect();
  else send({ kind: "follow", id, source });
  return () => {
    followed.delete(id);
    send({ kind: "leave", id });
  };
}

function send(message: ToHub): void {
  port?.postMessage(message);
}

/** Asks a hub for all that is followed. */
function connect(): void {
  if (typeof SharedWorker === "undefined" || navigator.locks === undefined) void connectOwn();
  else connectShared();
}

function connectShared(): void {
  const worker = new SharedWorker(new URL("./shared-worker.ts", import.meta.url), { type: "module" });
  worker.onerror = () => {
    // Its script cannot be loaded.
    if (!isShared) void connectOwn();
  };
  use(worker.port);
  const lock = `page ${crypto.randomUUID()}`;
  // The worker gets the lock when this page is gone, however it has gone.
  void navigator.locks.request(lock, () => {
    worker.port.postMessage({ kind: "page", lock } satisfies ToHub);
    return new Promise(() => {});
  });
}

async function connectOwn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  use(port1);
  const { streamHub } = await import("./hub.ts");
  streamHub({ origin: location.origin }).attach(port2);
}

function use(next: MessagePort): void {
  port?.close();
  port = next;
  next.onmessage = ({ data }: MessageEvent<FromHub>) => {
    if (port === next) take(data);
  };
  for (const [id, { source }] of followed) send({ kind: "follow", id, source });
}

function take(message: FromHub): void {
  if (message.kind === "hub") {
    isShared = true;
    void navigator.locks.request(message.lock, { mode: "shared" }, connectAgain);
    return;
  }
  const { follower } = followed.get(message.id) ?? {};
  if (follower === undefined) return;
  if (message.kind === "batch") {
    requestAnimationFrame(() => void draw(message.id, follower, message.batch));
    return;
  }
  const { id, connection } = message;
  if (connection.kind === "refused" && connection.status === 401) followAfterLogin(id);
  else follower.onConnection?.(received(connection));
}

/** Asks for the next batch also when this one could not be drawn: the others are not kept back for it. */
async function draw(id: number, follower: Follower<unknown>, batch: Batch<unknown>): Promise<void> {
  try {
    if (followed.has(id)) await follower.onBatch(batch);
  } finally {
    send({ kind: "drawn", id });
  }
}

/** The worker has died. */
function connectAgain(): void {
  isShared = false;
  for (const { follower } of followed.values()) follower.onConnection?.({ kind: "lost", reason: "" });
  connect();
}

/** Errors get their class back. */
function received(connection: SentConnection): Connection {
  if (connection.kind !== "refused") return connection;
  const { status, message } = connection;
  return { kind: "refused", error: new DesignerError(status, message) };
}

/** The session of the streams is over. There may be another one, or the person logs in. */
function followAfterLogin(id: number): void {
  const end = sessionState.subscribe(() => {
    const state = sessionState.get();
    if (state.kind !== "ready" || state.session.user === null) return;
    end();
    const one = followed.get(id);
    if (one === undefined) return;
    send({ kind: "leave", id });
    send({ kind: "follow", id, source: one.source });
  });
  void loadSession();
}
