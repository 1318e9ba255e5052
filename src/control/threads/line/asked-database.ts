/** What one thread asks of the embedded database of a connection that it has open. */
import { type EmbeddedFailure, longestEmbeddedRequest } from "../../../shared/embedded.ts";
import type { Frames } from "../../../shared/frame-shape.ts";
import { controlFields } from "../../../shared/frames-to-control.ts";
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import type { EmbeddedClient } from "../embedded-client.ts";
import type { OpenDatabase } from "../pooled-flow.ts";

const { database } = controlFields;

export interface DatabaseFrame {
  readonly id: number;
  readonly request: number;
  /** null: the request is cancelled. */
  readonly content: Uint8Array<ArrayBuffer> | null;
}

export function readDatabase(frames: Frames, at: number): DatabaseFrame {
  const content = database.content(frames, at);
  if (content !== null && content.length > longestEmbeddedRequest) throw new Error("a request to a database is long");
  return {
    id: database.id(frames, at),
    request: database.request(frames, at),
    content: content as DatabaseFrame["content"],
  };
}

interface Around {
  readonly open: OpenDatabase;
  /** The time that a request may take. */
  readonly mostMs: number;
  readonly breaker: { answered(): void };
  send(...frame: FrameToThread): void;
}

/** Threads end their requests themselves; this is for one that does not. */
const moreMs = 2000;

export class AskedDatabase {
  readonly #around: Around;
  #client: EmbeddedClient | undefined;
  /** The request under way, as the thread and as the client number it. */
  #underWay: { readonly request: number; readonly number: number } | undefined;
  /** Why it is of no use any more. */
  #gone: string | undefined;
  #ended = false;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Throws for a second request while one is under way. */
  take({ id, request, content }: DatabaseFrame): void {
    if (content === null) {
      if (this.#underWay?.request === request) this.#client?.cancel(this.#underWay.number);
      return;
    }
    if (this.#underWay !== undefined) throw new Error("it has more than one request to a database under way");
    const { breaker, send, mostMs } = this.#around;
    let answered = false;
    const reply = (answer: Uint8Array<ArrayBuffer> | undefined, failure?: EmbeddedFailure): void => {
      answered = true;
      this.#underWay = undefined;
      if (this.#ended) return;
      breaker.answered();
      send(ToThread.databased, id, request, failure === undefined ? "" : JSON.stringify(failure), answer ?? null);
    };
    try {
      // What comes behind a loss must not begin anew, outside of its transaction.
      if (this.#gone !== undefined) throw new Error(this.#gone);
      this.#client ??= this.#around.open((why) => this.#lost(id, why));
      const number = this.#client.ask(content, mostMs + moreMs, reply);
      if (!answered) this.#underWay = { request, number };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      reply(undefined, { message, code: 0, state: "08001" });
    }
  }

  /** The connection is closed, or its thread is gone. */
  end(): void {
    this.#ended = true;
    this.#client?.end();
  }

  #lost(id: number, message: string): void {
    this.#client = undefined;
    this.#gone = message;
    if (!this.#ended) this.#around.send(ToThread.databased, id, 0, JSON.stringify({ message, code: 0 }), null);
  }
}
