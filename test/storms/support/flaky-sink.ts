/** An HTTP server that takes messages by their ids, refuses some of them while it is flaky, and counts how often it took each. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export class FlakySink {
  /** How often each id was taken. */
  readonly taken = new Map<string, number>();
  refused = 0;
  readonly #server: Server;

  /** `refuses`: whether the next message is refused. */
  constructor(refuses: () => boolean) {
    this.#server = createServer((request, response) => {
      const id = new URL(request.url ?? "/", "http://sink").searchParams.get("id") ?? "";
      request.resume();
      request.on("end", () => {
        if (refuses()) {
          this.refused += 1;
          response.writeHead(503).end();
        } else {
          this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
          response.end("taken");
        }
      });
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
