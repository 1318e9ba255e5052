/** Holds the event streams of a browser's pages: each stream once, all over one connection. */
import { ApiError } from "../../../../../src/client/errors.ts";
import { type Connection, eventStreams } from "./event-streams.ts";
import type { FromHub, SentConnection, ToHub } from "./messages.ts";
import { overOneConnection } from "./one-connection.ts";
import { addressOf, logLines, openerOf, type StreamSource } from "./sources.ts";

interface HubOptions {
  /** Of the designer's server. */
  readonly origin: string;
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export interface StreamHub {
  /** Serves a page. @returns ends all that it follows */
  attach(port: MessagePort): () => void;
}

export function streamHub({ origin, fetch: own = (request) => fetch(request) }: HubOptions): StreamHub {
  const streams = eventStreams();
  const network = { origin, fetch: overOneConnection({ origin, fetch: own }) };

  return {
    attach(port) {
      const follows = new Map<number, Followed>();
      const post = (message: FromHub): void => port.postMessage(message);
      const leave = (id: number): void => {
        follows.get(id)?.end();
        follows.delete(id);
      };
      const end = (): void => {
        for (const id of [...follows.keys()]) leave(id);
        port.close();
      };
      const follow = (id: number, source: StreamSource): void => {
        const followed: Followed = { end: () => {}, drawn: () => {} };
        follows.set(id, followed);
        const stream = {
          address: addressOf(source),
          open: openerOf(source, network),
          replay: source.kind === "log" ? logLines : 0,
        };
        followed.end = streams.follow(stream, {
          onBatch(batch) {
            post({ kind: "batch", id, batch });
            // A hidden page draws nothing: what comes meanwhile waits here, up to a bound.
            return new Promise((drawn) => {
              followed.drawn = drawn;
            });
          },
          onConnection: (connection) => post({ kind: "connection", id, connection: sent(connection) }),
        });
      };
      port.onmessage = ({ data }: MessageEvent<ToHub>) => {
        if (data.kind === "page") void navigator.locks.request(data.lock, end);
        else if (data.kind === "follow") follow(data.id, data.source);
        else if (data.kind === "leave") leave(data.id);
        else follows.get(data.id)?.drawn();
      };
      return end;
    },
  };
}

interface Followed {
  end: () => void;
  drawn: () => void;
}

function sent(connection: Connection): SentConnection {
  if (connection.kind !== "refused") return connection;
  const { error } = connection;
  const status = error instanceof ApiError ? error.status : 0;
  return { kind: "refused", status, message: error instanceof Error ? error.message : String(error) };
}
