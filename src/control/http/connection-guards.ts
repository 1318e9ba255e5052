/** Protects the runtime against single clients: those that write requests faster than they are answered, and those that do not read answers. */
import { IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Pipeline, Turns } from "./pipeline.ts";

/** Bytes for the parser at a time, outside of a body of known length: few requests are shorter than a tenth of it. */
const pieceBytes = 256;
/** Pieces for the parser in one turn of the event loop: a chunk of a body may have six bytes, and each is an event. */
const mostPieces = 8;
/** Bytes that wait here before the socket is read no further. */
const mostHeld = 16 * 1024;
const nothing = Buffer.alloc(0);

/**
 * A gate in front of Node's parser, which makes requests of all bytes that it gets at once. The gate passes so few
 * bytes at a time that a client who writes thousands of requests is read as fast as they are answered, and no faster.
 * Reading this way costs more per request, so connections are gated only while some client does that.
 */
export class ByteGate {
  readonly #socket: Socket;
  readonly #pipeline: Pipeline;
  readonly #turns: Turns;
  readonly #parse: (piece: Buffer) => void;
  #held: Buffer = nothing;
  /** The least number of bytes that the body under way still lacks. */
  #body = 0;
  #due = false;
  /** The answer whose end is awaited. */
  #awaited: ServerResponse | undefined;

  /** Takes the place of Node's own listener, and passes the pieces to it. */
  constructor(socket: Socket, pipeline: Pipeline, turns: Turns) {
    this.#socket = socket;
    this.#pipeline = pipeline;
    this.#turns = turns;
    const listeners = socket.listeners("data");
    this.#parse = (piece) => {
      for (const listener of listeners) Reflect.apply(listener, socket, [piece]);
    };
    socket.removeAllListeners("data");
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("resume", () => {
      if (this.#full) socket.pause();
      this.#pumpLater();
    });
  }

  #take(chunk: Buffer): void {
    if (this.#pipeline.closing) return;
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#full) this.#socket.pause();
    if (!this.#due) this.#pump();
  }

  get #full(): boolean {
    return this.#held.length >= mostHeld;
  }

  /** Passes on what may be parsed now. */
  #pump(): void {
    const wasFull = this.#full;
    for (let pieces = 0; this.#held.length > 0 && this.#isWanted(); pieces++) {
      if (pieces === mostPieces) {
        this.#pumpLater();
        break;
      }
      const piece = this.#held.subarray(0, Math.max(pieceBytes, this.#body));
      this.#held = this.#held.subarray(piece.length);
      this.#parsePiece(piece);
    }
    if (this.#pipeline.closing) this.#held = nothing;
    if (this.#full) this.#socket.pause();
    else if (wasFull) this.#socket.resume();
    if (this.#held.length > 0) this.#await();
  }

  /** Whether the parser may get more: the rest of a request, or the next one when no answer is under way. */
  #isWanted(): boolean {
    if (this.#pipeline.closing || this.#socket.destroyed) return false;
    // A socket that something else than this gate has paused waits for the reader of a body.
    if (this.#socket.isPaused() && !this.#full) return false;
    // Node pauses a socket whose answers are not read, and its parser then throws for more bytes, also where this gate had paused the socket before.
    if ((this.#socket as Socket & { readonly _paused?: boolean })._paused === true) return false;
    return this.#pipeline.idle || this.#pipeline.latest?.req.complete === false;
  }

  #await(): void {
    const { response, waiting } = this.#pipeline;
    // Between two answers: the next waiting request is about to begin.
    if (response?.destroyed === true && waiting > 0) this.#pumpLater();
    if (response === undefined || response.destroyed || response === this.#awaited) return;
    this.#awaited = response;
    response.once("close", () => this.#pumpLater());
  }

  #parsePiece(piece: Buffer): void {
    const before = this.#pipeline.latest;
    this.#parse(piece);
    const { latest } = this.#pipeline;
    if (latest === before) this.#body = Math.max(0, this.#body - piece.length);
    else this.#body = Math.max(0, Number(latest?.req.headers["content-length"] ?? 0) - piece.length);
  }

  #pumpLater(): void {
    if (this.#due || this.#held.length === 0) return;
    this.#due = true;
    this.#turns.take(() => {
      this.#due = false;
      this.#pump();
    });
  }
}

interface Waiting {
  readonly unread: number;
  /** How many checks have found it unchanged. */
  readonly looks: number;
}

/**
 * Cuts off callers that do not read their answers. What the kernel does not take of an answer waits in memory, so a
 * caller who takes none of it for a while is cut off. All connections are checked in intervals, so that an answer which
 * is read costs nothing. Event streams end slow readers themselves.
 */
export class StalledReaders {
  readonly #connections: ReadonlyMap<Socket, Pipeline>;
  readonly #mostLooks: number;
  readonly #timer: NodeJS.Timeout;
  #waiting = new Map<Socket, Waiting>();

  constructor(connections: ReadonlyMap<Socket, Pipeline>, stallMs: number, everyMs: number) {
    this.#connections = connections;
    // Checks are counted, not time: if the main thread was blocked, callers are not to blame.
    this.#mostLooks = Math.ceil(stallMs / everyMs);
    this.#timer = setInterval(() => this.#look(), everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const waiting = new Map<Socket, Waiting>();
    for (const [socket, { response }] of this.#connections) {
      if (socket.writableLength === 0 || isStream(response)) continue;
      const unread = unreadBytes(socket);
      const before = this.#waiting.get(socket);
      const looks = before?.unread === unread ? before.looks + 1 : 0;
      if (looks >= this.#mostLooks) socket.destroy();
      else waiting.set(socket, { unread, looks });
    }
    this.#waiting = waiting;
  }
}

/** Whether an answer is being written in parts over time. */
function isStream(response: ServerResponse | undefined): boolean {
  return response?.headersSent === true && !response.writableEnded;
}

/**
 * Returns the bytes that the kernel has not taken yet. The length of a write that is under way does not shrink before
 * it is over, but the handle's queue does: Node's own socket time-outs look at it, though no documented property shows
 * it.
 */
function unreadBytes(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number {
  return socket._handle?.writeQueueSize ?? socket.writableLength;
}

/** A part of fewer bytes costs more to handle than its bytes do. */
const tinyBytes = 16;
/** A body with so many tiny parts was split on purpose. */
const mostTiny = 1000;

/**
 * Makes a class of requests for Node's server; `onTiny` is called once for a request whose body comes in too many tiny
 * parts.
 */
export function countedRequest(onTiny: () => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #tiny = 0;

    override push(part: unknown, encoding?: BufferEncoding): boolean {
      if (part instanceof Uint8Array && part.length < tinyBytes && ++this.#tiny === mostTiny) onTiny();
      return super.push(part, encoding);
    }
  };
}
