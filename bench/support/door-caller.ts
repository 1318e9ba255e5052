import { connect, type Socket } from "node:net";
import type { Kind } from "./door-requests.ts";

/** Sends one request after the other, each when the answer to the one before is there, on one connection if the server keeps it. */
export class Caller {
  status = 0;
  readonly #port: number;
  readonly #kind: Kind;
  #socket: Socket | undefined;

  constructor(port: number, kind: Kind) {
    this.#port = port;
    this.#kind = kind;
  }

  /** Resolves with the bytes of the answer. */
  ask(): Promise<number> {
    return new Promise((resolve) => {
      const socket = (this.#socket ??= this.#connect());
      const chunks: Buffer[] = [];
      const done = (): void => {
        socket.off("data", take).off("close", done);
        if (this.#kind.closes === true || socket.closed) this.#socket = undefined;
        resolve(Buffer.concat(chunks).length);
      };
      const take = (chunk: Buffer): void => {
        chunks.push(chunk);
        const text = Buffer.concat(chunks).toString("latin1");
        this.status = Number(text.slice(9, 12));
        if (this.#kind.streams === true && text.includes("\r\n\r\n")) {
          socket.destroy();
          this.#socket = undefined;
          done();
        } else if (this.#kind.closes !== true && whole(text)) done();
      };
      socket.on("data", take).on("close", done);
      socket.write(this.#kind.bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Socket {
    return connect(this.#port, "127.0.0.1").on("error", () => {});
  }
}

function whole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length === undefined ? text.endsWith("0\r\n\r\n") : text.length - end - 4 >= Number(length);
}
