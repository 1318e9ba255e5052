/**
 * The requests of one connection, handled one after the other in the order sent. A client may write many without
 * reading an answer (pipelining), and Node delivers all that a piece of bytes holds in one turn of the event loop; RFC
 * 9112 9.3.2 lets a server work on several only if all are safe. Waiting requests begin in turns that all connections
 * share, so that one write never causes much work at once.
 */
import type { IncomingMessage, ServerResponse } from "node:http";

/** `held`: the caller waits for `100 Continue`; `unknown`: it expects something that is not supported. */
export type Expectation = "none" | "held" | "unknown";

export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly expectation: Expectation;
}

/** What all connections share. */
export interface Shared {
  readonly turns: Turns;
  readonly room: WaitingRoom;
}

export class Pipeline {
  /** The answer under way, or the last one. */
  response: ServerResponse | undefined;
  /** true: requests that the connection sends from now on are not executed. */
  closing = false;
  readonly #most: number;
  readonly #shared: Shared;
  readonly #begin: (call: Call, pipeline: Pipeline) => void;
  readonly #waiting: Call[] = [];

  /** `most`: how many requests of this connection may wait for their turn. */
  constructor(most: number, shared: Shared, begin: (call: Call, pipeline: Pipeline) => void) {
    this.#most = most;
    this.#shared = shared;
    this.#begin = begin;
  }

  /** How many requests wait for earlier answers. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether the last answer has been sent, and no other is to follow. */
  get idle(): boolean {
    return this.#waiting.length === 0 && (this.response === undefined || this.response.destroyed);
  }

  /** The answer to the last request that has arrived. */
  get latest(): ServerResponse | undefined {
    return this.#waiting.at(-1)?.response ?? this.response;
  }

  /**
   * Begins the request, or keeps it until the answers before it have been sent; false: too many wait, and the caller
   * has to call `cut`.
   */
  arrive(call: Call): boolean {
    if (this.idle) {
      this.response = call.response;
      this.#begin(call, this);
      return true;
    }
    // Later bytes cannot be used yet.
    call.request.socket.pause();
    if (this.#waiting.push(call) === 1) this.#follow();
    return this.#shared.room.enter() && this.#waiting.length <= this.#most;
  }

  /** Drops all waiting requests but the first, which is refused in place of being executed. */
  cut(): void {
    this.closing = true;
    this.#forget(1);
  }

  /** Drops all waiting requests: the one under way is the last. */
  end(): void {
    this.closing = true;
    this.#forget(0);
  }

  /** Drops a waiting request whose rest will not come. */
  dropIncomplete(): void {
    if (this.#waiting.at(-1)?.request.complete === false) this.#forget(this.#waiting.length - 1);
  }

  /** Drops all waiting requests behind the first `kept`. */
  #forget(kept: number): void {
    this.#shared.room.leave(this.#waiting.splice(kept).length);
  }

  #follow(): void {
    this.response?.once("close", () => this.#shared.turns.take(() => this.#next()));
  }

  #next(): void {
    const call = this.#waiting.shift();
    if (call === undefined) return;
    this.#shared.room.leave(1);
    if (call.request.socket.destroyed) {
      this.#forget(0);
      return;
    }
    this.response = call.response;
    if (this.#waiting.length > 0) this.#follow();
    else call.request.socket.resume();
    this.#begin(call, this);
  }
}

/** How many pieces of work are done in one turn. */
const perTurn = 16;

/**
 * A queue of work for turns of the event loop: some pieces in each turn, in the order in which they came, so that other work runs in between.
 */
export class Turns {
  readonly #due: (() => void)[] = [];
  #scheduled = false;

  take(work: () => void): void {
    this.#due.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#due.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const work of this.#due.splice(0, perTurn)) work();
      this.#schedule();
    });
  }
}

/** Counts the requests of all connections that wait for earlier answers. */
export class WaitingRoom {
  readonly #most: number;
  #waiting = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the request in any case; false: more wait than may. */
  enter(): boolean {
    this.#waiting += 1;
    return this.#waiting <= this.#most;
  }

  leave(count: number): void {
    this.#waiting -= count;
  }
}

/** Responses whose callers still wait, with the keep-alive that they asked for. */
const waiting = new WeakMap<ServerResponse, boolean>();

/**
 * Notes that the caller waits. An answer sent before `acceptBody` closes the connection: the body may or may not follow
 * it.
 */
export function holdBody(response: ServerResponse): void {
  waiting.set(response, response.shouldKeepAlive);
  response.shouldKeepAlive = false;
}

/**
 * Sends `100 Continue` to a caller that waits for it; to be called before a body is read, after all checks that need
 * only the head.
 */
export function acceptBody(response: ServerResponse): void {
  const keepAlive = waiting.get(response);
  if (keepAlive === undefined) return;
  waiting.delete(response);
  response.shouldKeepAlive = keepAlive;
  response.writeContinue();
}
