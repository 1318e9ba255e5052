/**
 * A connection to a server, as components use it. The protocol is lines of words: names are written as in URLs, bodies as base64.
 *
 *     HELLO client user password   OK version   the first line; - stands for a user or a password that is not there
 *     PING                         OK
 *     PUT queue body               OK           the message is in the queue
 *     COUNT queue                  OK number    how many messages are in the queue
 *     TAKE queue number            OK           from here on the server sends messages, at most so many that are not settled
 *     DONE id                      OK           the message is gone
 *     BACK id                      OK           the message was not taken, and is the first of its queue again
 *
 * The server answers in the order of the questions, with NO and a reason when it refuses one. In between it sends messages:
 * `MESSAGE id new body`, with `again` in place of `new` when it had sent it before. When a connection ends, the server sends again
 * what was not settled.
 */
import type { Socket } from "node:net";
import { exceptionMessage, FlowException } from "../../../../../../src/workers/engine/exception.ts";
import { unlessAborted } from "../../../../../../src/workers/engine/waiting.ts";
import { readLines } from "./lines.ts";

export interface Received {
  readonly id: string;
  /** The server had sent it before. */
  readonly isAgain: boolean;
  readonly body: Uint8Array;
}

export interface Login {
  readonly clientName: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
}

interface Question {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** Bytes of a line beside the body of its message. */
const mostBesideBody = 4096;

export class QueueClient {
  readonly socket: Socket;
  /** As the server has answered the login. */
  serverVersion = "";
  readonly #questions: Question[] = [];
  #take: ((message: Received) => void) | undefined;
  /** How many messages the server may send now. */
  #room = 0;
  #lost: Error | undefined;

  /** `mostBytes`: the most bytes of a message's body. */
  constructor(socket: Socket, mostBytes: number) {
    this.socket = socket;
    readLines(socket, Math.ceil(mostBytes / 3) * 4 + mostBesideBody, (line) => this.#read(line));
  }

  /** Rejects with a FlowException when the server refuses the user. */
  async login({ clientName, username, password }: Login): Promise<void> {
    const words = [clientName, username ?? "-", password ?? "-"].map(encodeURIComponent);
    this.serverVersion = await this.#ask("HELLO", ...words);
  }

  async ping(): Promise<void> {
    await this.#ask("PING");
  }

  /**
   * Resolves when the server has the message. Rejects with a FlowException when the server refuses it or the connection is lost, and with
   * the reason of `signal`; after the last two it is not known whether the server has it.
   */
  async put(queue: string, body: Uint8Array, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const content = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64");
    await unlessAborted(this.#ask("PUT", encodeURIComponent(queue), content), signal);
  }

  /** Resolves with the number of messages that are in the queue. */
  async count(queue: string): Promise<number> {
    return Number(await this.#ask("COUNT", encodeURIComponent(queue)));
  }

  /** Calls `take` with each message from here on. At most `most` of them are not settled at the same time. */
  async take(queue: string, most: number, take: (message: Received) => void): Promise<void> {
    this.#take = take;
    this.#room = most;
    await this.#ask("TAKE", encodeURIComponent(queue), String(most));
  }

  /** Resolves when the server has noted what becomes of the message: it is gone, or goes back to its queue. */
  async settle(id: string, how: "DONE" | "BACK"): Promise<void> {
    this.#room += 1;
    await this.#ask(how, id);
  }

  /** Breaks the connection, so that the server sends again what is not settled. */
  drop(error: unknown): void {
    this.socket.destroy(new Error(exceptionMessage(error)));
  }

  /** Called when the connection is over: those who wait for an answer fail with the error. */
  end(error: Error): void {
    this.#lost ??= error;
    for (const { reject } of this.#questions.splice(0)) reject(this.#lost);
  }

  /** Resolves with what the server answers behind OK. */
  #ask(...words: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      this.#questions.push({ resolve, reject });
      this.socket.write(`${words.join(" ")}\n`);
    });
  }

  #read(line: string): void {
    const [word, ...words] = line.split(" ", 4);
    if (word === "MESSAGE") return void this.#receive(words);
    const [question] = this.#questions;
    if (question === undefined || (word !== "OK" && word !== "NO"))
      return void this.drop(`the server does not speak the protocol: it has sent '${line.slice(0, 60)}'`);
    this.#questions.shift();
    const text = line.slice(3);
    if (word === "OK") question.resolve(text);
    else question.reject(new FlowException("java.io.IOException", `the server refuses it: ${text}`));
  }

  #receive([id = "", time, body = ""]: readonly string[]): void {
    if (this.#take === undefined || this.#room <= 0)
      return void this.drop("the server has sent more messages than it was asked for");
    this.#room -= 1;
    this.#take({ id, isAgain: time === "again", body: Buffer.from(body, "base64") });
  }
}
