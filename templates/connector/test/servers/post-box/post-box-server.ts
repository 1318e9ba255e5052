/** A small server of Post box for tests, in this process: it has queues in memory, and one user. The protocol is in client.ts of the connector. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { createServer as createTlsServer } from "node:tls";
import { cert, key } from "../../../../../test/support/localhost-cert.ts";

interface Kept {
  readonly id: string;
  /** In base64. */
  readonly body: string;
  /** It was sent to a connection that ended without a word of it. */
  isAgain: boolean;
  /** To whom it was sent, and who has not settled it yet. */
  taker: Socket | undefined;
}

interface Taker {
  readonly queue: string;
  readonly most: number;
}

export class QueueServer {
  readonly username = "shop";
  readonly password = "kept-by-the-operator";
  readonly #queues = new Map<string, Kept[]>();
  readonly #takers = new Map<Socket, Taker>();
  readonly #sockets = new Set<Socket>();
  readonly #plain: Server;
  readonly #encrypted: Server;
  #ports: readonly [plain: number, encrypted: number] = [0, 0];
  #ids = 0;

  constructor() {
    this.#plain = createServer((socket) => this.#serve(socket));
    this.#encrypted = createTlsServer({ cert, key }, (socket) => this.#serve(socket));
    this.#encrypted.on("tlsClientError", () => {});
  }

  get port(): number {
    return this.#ports[0];
  }

  /** Its certificate is for localhost, and nobody trusts it who does not have it. */
  get tlsPort(): number {
    return this.#ports[1];
  }

  /** Listens, after a stop at the ports of before. */
  async start(): Promise<void> {
    const [plain, encrypted] = this.#ports;
    for (const [server, port] of [[this.#plain, plain] as const, [this.#encrypted, encrypted] as const])
      await once(server.listen(port, "127.0.0.1"), "listening");
    this.#ports = [portOf(this.#plain), portOf(this.#encrypted)];
  }

  /** Ends all connections, and listens no more; the queues stay. */
  async stop(): Promise<void> {
    const closed = [this.#plain, this.#encrypted].filter(({ listening }) => listening).map((one) => once(one, "close"));
    for (const server of [this.#plain, this.#encrypted]) server.close();
    this.cut();
    await Promise.all(closed);
  }

  /** Ends all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  put(queue: string, text: string): void {
    this.#add(queue, Buffer.from(text).toString("base64"));
  }

  /** The texts of the messages in the queue, also of those that are not settled. */
  texts(queue: string): string[] {
    return this.#kept(queue).map(({ body }) => Buffer.from(body, "base64").toString());
  }

  clear(): void {
    this.#queues.clear();
  }

  #kept(queue: string): Kept[] {
    const known = this.#queues.get(queue) ?? [];
    this.#queues.set(queue, known);
    return known;
  }

  #add(queue: string, body: string): void {
    this.#ids += 1;
    this.#kept(queue).push({ id: String(this.#ids), body, isAgain: false, taker: undefined });
    this.#deliver();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let isKnown = false;
    socket.on("error", () => {}).on("close", () => this.#gone(socket));
    // It reports the errors of the socket, too, as those of a thread that is killed.
    const lines = createInterface({ input: socket }).on("error", () => {});
    lines.on("line", (line) => {
      const [word = "", ...words] = line.split(" ");
      const answer = isKnown || word === "HELLO" ? this.#answer(socket, word, words) : "NO there was no HELLO";
      isKnown ||= word === "HELLO" && answer.startsWith("OK");
      socket.write(`${answer}\n`);
      this.#deliver();
    });
  }

  #answer(socket: Socket, word: string, [first = "", second = "", third = ""]: readonly string[]): string {
    if (word === "HELLO") {
      const [username, password] = [this.username, this.password].map(encodeURIComponent);
      if (second !== username || third !== password) return "NO the user or the password is wrong";
      return "OK Post box 1.0";
    }
    if (word === "PING") return "OK";
    if (word === "DONE" || word === "BACK") return this.#settle(first, word);
    const queue = decodeURIComponent(first);
    if (!/^[\w./-]+$/.test(queue)) return `NO '${queue}' is not the name of a queue`;
    if (word === "COUNT") return `OK ${this.#kept(queue).length}`;
    if (word === "PUT") this.#add(queue, second);
    else if (word === "TAKE") this.#takers.set(socket, { queue, most: Number(second) });
    else return `NO there is no ${word}`;
    return "OK";
  }

  #settle(id: string, how: "DONE" | "BACK"): string {
    for (const kept of this.#queues.values()) {
      const at = kept.findIndex((one) => one.id === id);
      const found = kept[at];
      if (found === undefined) continue;
      if (how === "DONE") kept.splice(at, 1);
      else found.taker = undefined;
      return "OK";
    }
    return "NO there is no such message";
  }

  /** Sends what waits to those who may get it. */
  #deliver(): void {
    for (const [socket, { queue, most }] of this.#takers) {
      const kept = this.#kept(queue);
      let free = most - kept.filter(({ taker }) => taker === socket).length;
      for (const message of kept) {
        if (free <= 0) break;
        if (message.taker !== undefined) continue;
        message.taker = socket;
        free -= 1;
        socket.write(`MESSAGE ${message.id} ${message.isAgain ? "again" : "new"} ${message.body}\n`);
      }
    }
  }

  #gone(socket: Socket): void {
    this.#sockets.delete(socket);
    this.#takers.delete(socket);
    for (const message of [...this.#queues.values()].flat()) {
      if (message.taker !== socket) continue;
      message.taker = undefined;
      message.isAgain = true;
    }
    this.#deliver();
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
