/** The server that flows deliver to: it refuses some messages while it is flaky, and writes down what it took. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What was taken at once: the messages of a group, or one. */
export interface Delivery {
  readonly messages: readonly string[];
  /** The runtime has marked it as one that may have come before. */
  readonly redelivered: boolean;
  /** What completed the group; "": it is no group. */
  readonly by: string;
}

export class KeptSink {
  readonly deliveries: Delivery[] = [];
  refused = 0;
  readonly #server: Server;
  #onCome: () => void = () => {};

  /** `refuses`: whether the next delivery is refused. */
  constructor(refuses: () => boolean) {
    this.#server = createServer(async (request, response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        this.#onCome();
        if (refuses()) {
          this.refused += 1;
          response.writeHead(503).end();
          return;
        }
        const { redelivered = "", by = "" } = request.headers;
        const messages = JSON.parse(Buffer.concat(chunks).toString()) as string | readonly string[];
        this.deliveries.push({ messages: [messages].flat(), redelivered: redelivered === "true", by: String(by) });
        response.end("taken");
      } catch {
        // A request that a kill has cut off was not taken.
        response.destroy();
      }
    });
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when the next delivery has come, before it is answered. */
  come(): Promise<void> {
    return new Promise((resolve) => {
      this.#onCome = resolve;
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
