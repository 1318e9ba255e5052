/** A server of Kafka's protocol that announces a broker at 169.254.169.254, and knows nothing else. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

const apiVersions = 18;
const metadata = 3;
const findCoordinator = 10;

/** Answers are put together as the versions below have them. */
export async function startSendingAway(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let rest = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
        const length = rest.readInt32BE(0);
        const request = rest.subarray(4, 4 + length);
        rest = rest.subarray(4 + length);
        answer(socket, request);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function answer(socket: Socket, request: Buffer): void {
  const [api = 0, version = 0, id = 0] = [request.readInt16BE(0), request.readInt16BE(2), request.readInt32BE(4)];
  const body = bodyOf(api, version);
  if (body === undefined) return void socket.destroy();
  const head = Buffer.alloc(8);
  head.writeInt32BE(4 + body.length, 0);
  head.writeInt32BE(id, 4);
  socket.write(Buffer.concat([head, body]));
}

function bodyOf(api: number, version: number): Buffer | undefined {
  if (api === apiVersions) return version >= 3 ? flexibleVersions() : versions();
  if (api === metadata) return brokers();
  if (api === findCoordinator) return coordinator();
  return undefined;
}

const known = [
  [apiVersions, 0, 3],
  [metadata, 1, 1],
  [findCoordinator, 1, 1],
] as const;

function versions(): Buffer {
  const list = known.map(([api, least, most]) => Buffer.concat([int16(api), int16(least), int16(most)]));
  return Buffer.concat([int16(0), int32(known.length), ...list, int32(0)]);
}

function flexibleVersions(): Buffer {
  const list = known.map(([api, least, most]) =>
    Buffer.concat([int16(api), int16(least), int16(most), Buffer.from([0])]),
  );
  return Buffer.concat([int16(0), Buffer.from([known.length + 1]), ...list, int32(0), Buffer.from([0])]);
}

/** Version 1: brokers, the controller, no topics. */
function brokers(): Buffer {
  const broker = Buffer.concat([int32(1), text("169.254.169.254"), int32(9092), int16(-1)]);
  return Buffer.concat([int32(1), broker, int32(1), int32(0)]);
}

/** Version 1: no time to wait, no error, and the broker. */
function coordinator(): Buffer {
  return Buffer.concat([int32(0), int16(0), int16(-1), int32(1), text("169.254.169.254"), int32(9092)]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([int16(value.length), Buffer.from(value)]);
}
