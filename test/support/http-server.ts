/** A real HTTP server on loopback that records requests and answers as a test wants; closed after the test. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface Heard {
  readonly method: string;
  /** Path and query as they arrived. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternating, in the spelling of the client. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  readonly bytes: Buffer;
}

export interface TestServer {
  readonly port: number;
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly heard: Heard[];
  /** How many connections were opened in all. */
  connections(): number;
  /** How many connections are open now. */
  open(): number;
  /** Stops the server: nothing answers at its port any more. */
  stop(): Promise<void>;
}

type Answer = (request: Heard, response: Parameters<RequestListener>[1]) => void;

/** Starts a server. By default it answers 200 with the text `ok`. */
export async function startHttpServer(t: TestContext, answer: Answer = (_, r) => r.end("ok")): Promise<TestServer> {
  const heard: Heard[] = [];
  let connections = 0;
  let open = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const { method = "", url = "", headers, rawHeaders } = request;
      const one = { method, url, headers, rawHeaders, body: bytes.toString(), bytes };
      heard.push(one);
      answer(one, response);
    });
  });
  server.on("connection", (socket) => {
    connections += 1;
    open += 1;
    socket.on("close", () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { port, host, url: `http://${host}`, heard, connections: () => connections, open: () => open, stop };
}
