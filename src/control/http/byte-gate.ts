/**
 * A gate in front of Node's parser, which makes requests of all bytes that it gets at once. The gate passes so few
 * bytes at a time that a client who writes thousands of requests is read as fast as they are answered, and no faster.
 * Reading this way costs more per request, so connections are gated only while some client does that.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Pipeline, Turns } from "./pipeline.ts";

/** Bytes for the parser at a time, outside of a body of known length: few requests are shorter than a tenth of it. */
const pieceBytes = 256;
/** Pieces for the parser in one turn of the event loop: a chunk of a body may have six bytes, and each is an event. */
const mostPieces = 8;
/** Bytes that wait here before the socket is read no further. */
const mostHeld = 16 * 1024;
const nothing = Buffer.alloc(0);

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
      else this.#pumpLater();
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
    // A socket that is paused, and not by this gate, waits for the reader of a body.
    if (this.#socket.isPaused() && !this.#full) return false;
    return this.#pipeline.idle || this.#pipeline.latest?.req.complete === false;
  }

  #await(): void {
    const { response, waiting } = this.#pipeline;
    // Between two answers the next request is about to begin.
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
