/** A way to a server that falls silent in the middle of a connection. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";

export interface FreezingProxy {
  readonly port: number;
  /** From here on nothing passes. Resolves with how many bytes the client has still sent when it has closed its connection. */
  freeze(): Promise<number>;
}

export async function startFreezingProxy(
  t: TestContext,
  to: { readonly host: string; readonly port: number },
): Promise<FreezingProxy> {
  const sockets: Socket[] = [];
  let client: Socket | undefined;
  let isFrozen = false;
  let bytes = 0;
  const server = createServer((socket) => {
    client = socket;
    const behind = connect(to.port, to.host);
    for (const one of [socket, behind]) sockets.push(one.on("error", () => {}));
    socket.on("data", (chunk) => {
      if (isFrozen) bytes += chunk.length;
      else behind.write(chunk);
    });
    behind.on("data", (chunk) => {
      if (!isFrozen) socket.write(chunk);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    async freeze() {
      isFrozen = true;
      if (client !== undefined && !client.closed) await once(client, "close");
      return bytes;
    },
  };
}
