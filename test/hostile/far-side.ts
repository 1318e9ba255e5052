/** Servers that flows call: one that does its worst, and one that no flow may reach, which counts who comes. */
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { gzipSync } from "node:zlib";
import { every } from "../support/clock.ts";

export interface FarSide {
  /** `http://127.0.0.1:<port>`: to be named in EGRESS_ALLOW. */
  readonly url: string;
  /** On 127.0.0.2, which nothing allows. */
  readonly forbiddenPort: number;
  close(): void;
}

const MiB = 1024 * 1024;
let connections = 0;

/** Those that the forbidden server has ever seen. */
export function forbiddenConnections(): number {
  return connections;
}

const packed = gzipSync(Buffer.alloc(10 * MiB));

const ways: Readonly<Record<string, (response: ServerResponse, forbiddenPort: number) => void>> = {
  silent: () => {},
  endless: (response) => goOn(response, Buffer.alloc(64 * 1024, "x")),
  // Members of gzip behind each other are one text.
  bomb: (response) => {
    response.setHeader("Content-Encoding", "gzip");
    goOn(response, packed);
  },
  drip(response) {
    response.on(
      "close",
      every(900, () => response.write("x")),
    );
  },
  circle: (response) => response.writeHead(302, { Location: "/circle" }).end(),
  metadata: (response) => response.writeHead(302, { Location: "http://169.254.169.254/latest/meta-data" }).end(),
  forbidden: (response, port) => response.writeHead(302, { Location: `http://127.0.0.2:${port}/` }).end(),
};

export async function startFarSide(): Promise<FarSide> {
  const guarded = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => guarded.listen(0, "127.0.0.2", resolve));
  const forbiddenPort = (guarded.address() as AddressInfo).port;
  const server = createServer((request, response) => {
    request.resume();
    const way = ways[request.url?.slice(1) ?? ""];
    if (way === undefined) response.writeHead(404).end();
    else way(response, forbiddenPort);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forbiddenPort,
    close() {
      guarded.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

function goOn(response: ServerResponse, chunk: Uint8Array): void {
  const more = (): void => {
    while (!response.destroyed) if (!response.write(chunk)) return;
  };
  response.on("drain", more);
  more();
}
