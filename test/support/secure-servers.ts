/** Servers over TLS for tests of HTTP clients, and an HTTP proxy. Both end with the test. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
} from "node:http2";
import { createServer as createServerOfHttp1, type Server as Http1Server } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import type { TLSSocket } from "node:tls";
import { cert, key } from "./localhost-cert.ts";

export interface SecureServer {
  readonly port: number;
  /** What it has got: `GET /a by CN over 2.0`. */
  readonly heard: readonly string[];
  readonly server: Http2SecureServer | Http1Server;
  /** How many sessions of HTTP/2 were opened. */
  readonly sessions: () => number;
}

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse, session: Http2Session | undefined) => void;

/** `asks`: it takes only clients with a certificate. `old`: it speaks HTTP/1.1 alone. */
export async function startSecureServer(
  t: TestContext,
  {
    asks = false,
    old = false,
    answer = (_, response) => void response.end("well"),
  }: { readonly asks?: boolean; readonly old?: boolean; readonly answer?: Answer } = {},
): Promise<SecureServer> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  let sessions = 0;
  const client = asks ? { ca: cert, requestCert: true, rejectUnauthorized: true } : {};
  const options = { cert, key, allowHTTP1: true, ...client };
  const take = (asked: Http2ServerRequest, response: Http2ServerResponse): void => {
    const { session } = asked.stream ?? {};
    const { subject } = ((session?.socket ?? asked.socket) as TLSSocket).getPeerCertificate();
    heard.push(`${asked.method} ${asked.url} by ${subject?.CN ?? "nobody"} over ${asked.httpVersion}`);
    answer(asked, response, session);
  };
  const server = old ? createServerOfHttp1(options, take as never) : createSecureServer(options, take);
  server
    .on("session", () => sessions++)
    .on("secureConnection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
    });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard, server, sessions: () => sessions };
}

export interface ProxyServerOfTest {
  readonly port: number;
  /** `CONNECT host:port` and `GET http://host:port/path`, as it has got them. */
  readonly heard: readonly string[];
}

/** It resolves every name to loopback, and wants these credentials, if any. */
export async function startProxy(t: TestContext, credentials?: string): Promise<ProxyServerOfTest> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const isKnown = ({ headers }: IncomingMessage): boolean =>
    credentials === undefined ||
    headers["proxy-authorization"] === `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = createServer((asked: IncomingMessage, response: ServerResponse) => {
    heard.push(`${asked.method} ${asked.url}`);
    if (!isKnown(asked)) return void response.writeHead(407, { "Proxy-Authenticate": "Basic" }).end();
    const url = new URL(asked.url ?? "");
    const { "proxy-authorization": _, ...headers } = asked.headers;
    const onward = request(
      { host: "127.0.0.1", port: url.port, method: asked.method, path: url.pathname, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    asked.pipe(onward);
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (asked: IncomingMessage, client: Socket) => {
    heard.push(`CONNECT ${asked.url}`);
    client.on("error", () => {});
    if (!isKnown(asked)) return client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const onward = connect(Number(asked.url?.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => client.destroy()).on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard };
}
