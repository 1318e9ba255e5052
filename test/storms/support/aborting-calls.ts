/** Callers that leave in the middle: each call has a connection of its own, which is closed or reset at a chosen moment. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pause } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";

/** Where the calls go: a route that waits, one that answers with more than the kernel takes, one that ends by itself. */
export const abortedFlow =
  webhook("waits", "delay: { constant: 60000 }") +
  webhook("large", `setBody: { simple: '${"${body}".repeat(64)}' }`) +
  webhook("keyed", "delay: { constant: 20 }") +
  webhook("well", 'log: "well"');

const part = "x".repeat(1024);

/** What is sent, and when the caller leaves. */
const moments = {
  /** The body has begun to arrive. */
  async sending(socket: Socket, pause: Pause) {
    socket.write(head("waits", 64 * part.length) + part.repeat(8));
    await pause();
  },
  /** The run waits, in its thread or for one. */
  async waiting(socket: Socket, pause: Pause) {
    socket.write(head("waits", part.length) + part);
    await pause();
  },
  /** The run goes on without its caller. */
  async keyed(socket: Socket, pause: Pause, nth: number) {
    socket.write(head("keyed", part.length, `Idempotency-Key: key-${nth}\r\n`) + part);
    await pause();
  },
  /** The answer, 4 MiB, is on its way. */
  async reading(socket: Socket) {
    socket.write(head("large", 64 * part.length) + part.repeat(64));
    await Promise.race([once(socket, "data"), once(socket, "close")]);
    socket.pause();
  },
};

type Pause = () => Promise<unknown>;
export type Moment = keyof typeof moments;

interface Aborting {
  readonly port: number;
  readonly calls: number;
  /** At a time. */
  readonly connections: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Resolves with how many calls were broken off at which moment. */
export async function abortCalls({ port, calls, connections, random }: Aborting): Promise<Record<Moment, number>> {
  const names = Object.keys(moments) as Moment[];
  const counts: Record<Moment, number> = { sending: 0, waiting: 0, keyed: 0, reading: 0 };
  let next = 0;
  async function caller(): Promise<void> {
    while (next < calls) {
      const nth = next++;
      const moment = names[nth % names.length] as Moment;
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      const pauseMs = random() * 20;
      await moments[moment](socket, () => pause(pauseMs), nth);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      if (socket.closed) continue;
      if (random() < 0.5) socket.destroy();
      else socket.resetAndDestroy();
      await closed;
      counts[moment] += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, caller));
  return counts;
}

function head(route: string, length: number, more = ""): string {
  return `POST /api/${route} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${more}Content-Length: ${length}\r\n\r\n`;
}

/** What is under way, from `GET /_api/metrics`, by gauge; the sum over all flows. */
export function underWay(metrics: string): Readonly<Record<string, number>> {
  const found = { runs_in_flight: 0, runs_queued: 0, bytes_in_flight: 0, bytes_in_flight_all_flows: 0 };
  for (const name of Object.keys(found) as (keyof typeof found)[]) {
    for (const [, value] of metrics.matchAll(new RegExp(`^bulkhead_${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))) {
      found[name] += Number(value);
    }
  }
  return found;
}
