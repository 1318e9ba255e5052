/** This thread's requests to open named connections, over the line to control. */
import {
  type ConnectionSecrets,
  type HeldByRun,
  longestConnectionFailure,
  mostPermitsAsked,
} from "../shared/connection.ts";
import type { Frames } from "../shared/frame-shape.ts";
import { type FrameToControl, ToControl } from "../shared/frames-to-control.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import type { Outbox } from "../shared/outbox.ts";
import { DatabaseLines } from "./database-lines.ts";
import type { ConnectionPort, PlaceRequest } from "./engine/connections/connection-port.ts";
import { FlowException } from "./engine/exception.ts";

const { permitted } = threadFields;

interface Asked {
  resolve(secrets: ConnectionSecrets): void;
  reject(error: FlowException): void;
}

interface Surroundings {
  readonly outbox: Outbox<FrameToControl>;
  /** Removes secrets from what leaves the thread, also those of connections from `confide` on. */
  mask(text: string): string;
  confide(secrets: readonly string[]): void;
}

export class ConnectionLine implements ConnectionPort {
  readonly #around: Surroundings;
  readonly #asked = new Map<number, Asked>();
  readonly databases: DatabaseLines;
  #last = 0;

  constructor(around: Surroundings) {
    this.#around = around;
    this.databases = new DatabaseLines(around.outbox);
  }

  ask(connection: string, slot: number, held: HeldByRun): PlaceRequest {
    if (this.#asked.size >= mostPermitsAsked) {
      const message = `more than ${mostPermitsAsked} runs of the thread wait for connections`;
      return refused(new FlowException("LimitExceededException", message), this.databases);
    }
    const id = ++this.#last;
    const { promise: granted, resolve, reject } = Promise.withResolvers<ConnectionSecrets>();
    // A request that is withdrawn has nobody who waits for its answer.
    granted.catch(() => {});
    this.#asked.set(id, { resolve, reject });
    const text = held.length === 0 ? "" : JSON.stringify(held);
    this.#send(ToControl.permit, id, slot, connection, text);
    let closed = false;
    const { databases } = this;
    return {
      granted,
      get database() {
        return databases.of(id);
      },
      opened: () => this.#send(ToControl.connection, id, "opened", ""),
      close: (failure) => {
        if (closed) return;
        closed = true;
        databases.close(id);
        if (this.#asked.delete(id))
          reject(new FlowException("java.lang.InterruptedException", "nobody waits any more"));
        const event = failure === undefined ? "closed" : "failed";
        this.#send(ToControl.connection, id, event, this.#shown(failure ?? ""));
      },
    };
  }

  /** Takes the answer of the `permitted` frame that begins at this index. */
  answered(frames: Frames, at: number): void {
    const id = permitted.id(frames, at);
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#asked.delete(id);
    const type = permitted.type(frames, at);
    if (type !== "") asked.reject(new FlowException(type, permitted.failure(frames, at)));
    else {
      const secrets = JSON.parse(permitted.secrets(frames, at)) as ConnectionSecrets;
      this.confide(secrets);
      asked.resolve(secrets);
    }
  }

  /** Hides the secrets in all that the thread sends from here on. */
  confide({ password, privateKey, passphrase, cert, key }: ConnectionSecrets): void {
    this.#around.confide([password, privateKey, passphrase, cert, key].filter((value) => value !== undefined));
  }

  #shown(text: string): string {
    return this.#around.mask(text.slice(0, longestConnectionFailure)).slice(0, longestConnectionFailure);
  }

  #send(...frame: FrameToControl): void {
    this.#around.outbox.open().push(...frame);
  }
}

function refused(error: FlowException, databases: DatabaseLines): PlaceRequest {
  const granted = Promise.reject(error);
  granted.catch(() => {});
  return { granted, database: databases.of(0), opened() {}, close() {} };
}
