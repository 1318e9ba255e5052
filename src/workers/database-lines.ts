/** This thread's requests to embedded databases, over the line to control. */
import type { EmbeddedFailure } from "../shared/embedded.ts";
import type { Frames } from "../shared/frame-shape.ts";
import { type FrameToControl, ToControl } from "../shared/frames-to-control.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import type { Outbox } from "../shared/outbox.ts";
import { DatabaseFailed, type DatabaseLine } from "./engine/connections/database-line.ts";

const { databased } = threadFields;

export class DatabaseLines {
  readonly #outbox: Outbox<FrameToControl>;
  readonly #lines = new Map<number, PlaceLine>();

  constructor(outbox: Outbox<FrameToControl>) {
    this.#outbox = outbox;
  }

  /** Returns the line of a connection. `id`: as in its `permit`; 0: the one that is tried. */
  of(id: number): DatabaseLine {
    let line = this.#lines.get(id);
    if (line === undefined) {
      line = new PlaceLine((request, content) => {
        this.#outbox.open().push(ToControl.database, id, request, content);
      });
      this.#lines.set(id, line);
    }
    return line;
  }

  /** The connection is closed: nothing is answered any more. */
  close(id: number): void {
    this.#lines.get(id)?.close();
    this.#lines.delete(id);
  }

  /** Takes the answer of the `databased` frame that begins at this index. */
  answered(frames: Frames, at: number): void {
    const failure = databased.failure(frames, at);
    this.#lines
      .get(databased.id(frames, at))
      ?.answered(
        databased.request(frames, at),
        failure === "" ? undefined : (JSON.parse(failure) as EmbeddedFailure),
        databased.content(frames, at) as Uint8Array | null,
      );
  }
}

interface Asked {
  resolve(content: Uint8Array): void;
  reject(error: DatabaseFailed): void;
}

class PlaceLine implements DatabaseLine {
  readonly #send: (request: number, content: Uint8Array | null) => void;
  /** The request under way. */
  #asked: Asked | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #number = 0;
  #lost: ((error: unknown) => void) | undefined;
  #closed: DatabaseFailed | undefined;

  constructor(send: (request: number, content: Uint8Array | null) => void) {
    this.#send = send;
  }

  ask(content: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const asked = this.#last.then(() => this.#ask(content, signal));
    this.#last = asked.catch(() => {});
    return asked;
  }

  onLost(lost: (error: unknown) => void): void {
    this.#lost = lost;
  }

  answered(request: number, failure: EmbeddedFailure | undefined, content: Uint8Array | null): void {
    if (request === 0) {
      this.#lost?.(new Error(failure?.message));
      return;
    }
    const asked = this.#asked;
    if (request !== this.#number || asked === undefined) return;
    this.#asked = undefined;
    if (failure === undefined) asked.resolve(content as Uint8Array);
    else asked.reject(new DatabaseFailed(failure));
  }

  close(): void {
    this.#closed = new DatabaseFailed({ message: "the connection to the database is closed", code: 0, state: "08003" });
    this.#asked?.reject(this.#closed);
    this.#asked = undefined;
  }

  async #ask(content: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#asked = { resolve, reject };
    this.#number += 1;
    const number = this.#number;
    const cancel = (): void => this.#send(number, null);
    signal?.addEventListener("abort", cancel, { once: true });
    this.#send(number, content);
    try {
      return await promise;
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }
}
