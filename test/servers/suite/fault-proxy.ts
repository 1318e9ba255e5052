/**
 * A way to a server that breaks as networks do: connections that are cut, that fall silent, answers that come late, and
 * answers that come in small pieces.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { turn } from "../../support/clock.ts";

interface Way {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes of answers that still pass before the way is cut. */
  left: number;
  /** true: bytes vanish, in both directions. */
  isDead: boolean;
  /** Resolves when the answers up to here have passed in pieces. */
  passed: Promise<void>;
}

/** So many bytes of each packet pass one by one. The rest follows in larger pieces, since a case has a time. */
const oneByOne = 100;
const piece = 97;

export class FaultProxy {
  readonly #ways = new Set<Way>();
  readonly #held: (() => void)[] = [];
  #isHeld = false;
  #isTorn = false;
  #cut = 0;
  #port = 0;

  /** `port`: where it listens; 0: at a free one. */
  static async start(
    t: TestContext,
    to: { readonly host: string; readonly port: number },
    port = 0,
  ): Promise<FaultProxy> {
    const proxy = new FaultProxy();
    const server = createServer((client) => proxy.#take(client, connect(to.port, to.host))).listen(port, "127.0.0.1");
    await once(server, "listening");
    proxy.#port = (server.address() as AddressInfo).port;
    t.after(() => {
      for (const way of proxy.#ways) proxy.#end(way);
      server.close();
    });
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** How many connections were cut. */
  get cut(): number {
    return this.#cut;
  }

  /** Cuts each connection that there is when so many more bytes of answers have passed. New ones last. */
  cutAfter(bytes: number): void {
    for (const way of this.#ways) way.left = bytes;
  }

  /** What is sent over the connections that there are reaches nobody from here on. New ones work. */
  swallow(): void {
    for (const way of this.#ways) way.isDead = true;
  }

  /** Answers wait from here on, of new connections, too. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Answers come in pieces from here on, most of them of one byte. */
  tear(): void {
    this.#isTorn = true;
  }

  /** The answers that have waited pass, and all that follow. */
  goOn(): void {
    this.#isHeld = false;
    for (const send of this.#held.splice(0)) send();
  }

  #take(client: Socket, server: Socket): void {
    const way: Way = { client, server, left: Number.POSITIVE_INFINITY, isDead: false, passed: Promise.resolve() };
    this.#ways.add(way);
    for (const socket of [client, server]) socket.setNoDelay(true).on("error", () => {});
    client.on("data", (chunk) => void (way.isDead || server.write(chunk)));
    server.on("data", (chunk: Buffer) => {
      if (way.isDead) return;
      if (this.#isHeld) this.#held.push(() => client.write(chunk));
      else if (this.#isTorn) way.passed = way.passed.then(() => inPieces(client, chunk));
      else this.#answer(way, chunk);
    });
    client.on("close", () => this.#end(way));
    server.on("close", () => {
      // A firewall that has forgotten a connection does not pass on its end either.
      if (!way.isDead && !this.#isHeld) void way.passed.then(() => this.#end(way));
    });
  }

  #answer(way: Way, chunk: Buffer): void {
    if (chunk.length < way.left) {
      way.left -= chunk.length;
      way.client.write(chunk);
      return;
    }
    this.#cut += 1;
    way.client.write(chunk.subarray(0, way.left), () => this.#end(way));
    way.left = 0;
  }

  #end(way: Way): void {
    this.#ways.delete(way);
    way.client.destroy();
    way.server.destroy();
  }
}

/** Each piece is a packet of its own: the reader gets a turn in between. */
async function inPieces(to: Socket, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += at < oneByOne ? 1 : piece) {
    to.write(bytes.subarray(at, at + (at < oneByOne ? 1 : piece)));
    await turn();
  }
}
