/** A server that sends lines to its clients, and records their outcomes: the other end of `lines:`. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

export interface LineServer {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /**
   * Everything that arrived, in its order: `HELLO <password>`, `taken <id>`, `done <id>`, `failed <id>`, `lost <id>`,
   * `closed`.
   */
  readonly heard: readonly string[];
  readonly connections: number;
  /** Sends lines to the newest connection, or to the next one when there is none. */
  send(...lines: readonly string[]): void;
}

/** Starts a server, which is closed after the test. */
export async function startLineServer(t: TestContext): Promise<LineServer> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const waiting: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const lines = createInterface({ input: socket });
    lines.on("line", (line) => heard.push(line));
    // It repeats the errors of its input.
    lines.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      heard.push("closed");
    });
    for (const line of waiting.splice(0)) socket.write(`${line}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    get connections() {
      return sockets.size;
    },
    send(...lines) {
      const socket = [...sockets].at(-1);
      if (socket === undefined) waiting.push(...lines);
      else for (const line of lines) socket.write(`${line}\n`);
    },
  };
}
