/** As much of PostgreSQL's protocol as a client needs that asks for nothing and gets no rows. A connection can be frozen: it swallows what comes. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";

export interface PostgresStandIn {
  readonly port: number;
  /** The connections that were opened so far, those that cancel statements apart. */
  readonly opened: number;
  /** The present connections answer nothing from here on; new ones do. */
  freeze(): void;
  /** The present connections are cut. */
  cut(): void;
}

const protocol = 196_608;

function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export async function startPostgresStandIn(t: TestContext): Promise<PostgresStandIn> {
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    let left: Buffer = Buffer.alloc(0);
    let begun = false;
    let status = "I";
    const answer = (type: string, text: string): readonly Uint8Array[] => {
      const done = (): Buffer => message("C", Buffer.from("SELECT 0\0"));
      if (type === "Q" || type === "P") {
        if (/\bbegin\b/i.test(text)) status = "T";
        if (/\b(?:commit|rollback)\b/i.test(text)) status = "I";
      }
      if (type === "Q") return [/commit/i.test(text) ? message("C", Buffer.from("COMMIT\0")) : done(), ready()];
      const simple: Readonly<Record<string, readonly Uint8Array[]>> = {
        P: [message("1")],
        B: [message("2")],
        D: [message("n")],
        E: [done()],
        C: [message("3")],
      };
      return type === "S" ? [ready()] : (simple[type] ?? []);
    };
    const ready = (): Buffer => message("Z", Buffer.from(status));
    socket.on("data", (data) => {
      left = Buffer.concat([left, data as Buffer]);
      if (!begun) {
        if (left.length < 8) return;
        begun = true;
        // What cancels a statement begins otherwise, and is closed.
        if (left.readUInt32BE(4) !== protocol) return void socket.destroy();
        opened += 1;
        left = left.subarray(left.readUInt32BE(0));
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), message("K", Buffer.alloc(8)), ready()]));
      }
      while (left.length >= 5 && left.length >= left.readUInt32BE(1) + 1) {
        const end = left.readUInt32BE(1) + 1;
        const answers = answer(String.fromCharCode(left[0] as number), left.toString("latin1", 5, end));
        left = left.subarray(end);
        if (!frozen.has(socket)) for (const one of answers) socket.write(one);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    get opened() {
      return opened;
    },
    freeze: () => {
      for (const socket of sockets) frozen.add(socket);
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
