/** Kinds of clients, each on a connection of its own: polite ones, and those that make the most of what a connection lets them do. */
import { connect, type Socket } from "node:net";
import { every, onNextTurn } from "../../../support/clock.ts";

export interface Client {
  /** Connections that this client has opened so far. */
  readonly opened: number;
  stop(): void;
}

interface Manner {
  /** What is written when the connection is open. */
  readonly first: string;
  /** Written again for each answer. */
  readonly next?: string;
  /** true: nothing is read. */
  readonly deaf?: boolean;
  /** true: the client says that nothing more comes. */
  readonly half?: boolean;
  /** Written again and again, every `everyMs`. */
  readonly drip?: { readonly text: string; readonly everyMs: number };
}

/** What one write may hold at the most that the server reads at once. */
const pieceBytes = 64 * 1024;
const host = "Host: localhost\r\n";
const health = `GET /_api/health HTTP/1.1\r\n${host}\r\n`;
const body = '{"orderNo":"17"}';
const webhook = `POST /api/victim HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const full = (request: string): string => request.repeat(Math.floor(pieceBytes / request.length));

export const manners = {
  polite: { first: health, next: health },
  "health, 64 KB at once, nothing read": { first: full(health), deaf: true },
  "health, 64 KB at once": { first: full(health) },
  "health, 64 KB for each answer, nothing read": {
    first: full(health),
    drip: { text: full(health), everyMs: 50 },
    deaf: true,
  },
  "health, 16 at once": { first: health.repeat(16), next: health },
  "401, 64 KB at once, nothing read": { first: full(`GET /_api/flows HTTP/1.1\r\n${host}\r\n`), deaf: true },
  "404, 64 KB at once, nothing read": { first: full(`GET /x HTTP/1.1\r\n${host}\r\n`), deaf: true },
  "400, 64 KB at once, nothing read": { first: full("GET / HTTP/1.1\r\n\r\n"), deaf: true },
  "webhooks, 64 KB at once, nothing read": { first: full(webhook), deaf: true },
  "HTTP/1.0, 64 KB at once, nothing read": {
    first: full("GET /_api/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
    deaf: true,
  },
  "64 KB at once, half closed": { first: full(health), half: true, deaf: true },
  "headers in drops": { first: `GET /_api/health HTTP/1.1\r\n${host}`, drip: { text: "X: 1\r\n", everyMs: 20 } },
} as const satisfies Readonly<Record<string, Manner>>;

export type MannerName = keyof typeof manners;

/** Connects again whenever it is closed. */
export function startClient(port: number, name: MannerName): Client {
  const { first, next, deaf = false, half = false, drip }: Manner = manners[name];
  const client = { opened: 0, stop };
  let socket: Socket | undefined;
  let stopDripping: (() => void) | undefined;
  let stopped = false;
  open();
  return client;

  function open(): void {
    client.opened += 1;
    const now = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket = now;
    now.on("error", () => {});
    now.once("close", () => {
      stopDripping?.();
      if (!stopped) onNextTurn(open);
    });
    if (deaf) now.pause();
    else
      now.setEncoding("latin1").on("data", (text: string) => {
        if (next !== undefined) for (const _ of text.matchAll(/HTTP\/1\.1 \d{3} /g)) now.write(next);
      });
    now.once("end", () => now.destroy());
    now.write(first);
    if (half) now.end();
    if (drip !== undefined)
      stopDripping = every(drip.everyMs, () => {
        // What the server does not read is not heaped up here.
        if (now.writableLength === 0) now.write(drip.text);
      });
  }

  function stop(): void {
    stopped = true;
    stopDripping?.();
    socket?.destroy();
  }
}
