/**
 * Event streams: `GET /designer/events`, that of the workspace, and `/designer/streams`, the one connection of a browser
 * that carries this one and those of runtimes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { CarriedStream } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import type { Caller } from "../proxy/proxy.ts";
import { openStream } from "../proxy/stream.ts";
import type { Upstream } from "../proxy/upstream.ts";
import { Refused } from "../refused.ts";
import { BrowserConnection, type OpenBody } from "../streams/browser-connection.ts";
import { sendEvents } from "../streams/send-events.ts";
import { workspaceStream } from "../streams/workspace-stream.ts";
import type { WorkspaceWatch } from "../workspace/watch.ts";
import { readBody } from "./body.ts";
import type { Door } from "./door.ts";

const carriedStream = z.strictObject({
  path: z.string("path: must be a text").max(8192, "path: must have at most 8192 characters"),
  lastEventId: z.string("lastEventId: must be a text").max(200).optional(),
}) satisfies z.ZodType<CarriedStream>;

interface OfStream {
  readonly Params: { readonly connection: string; readonly name: string };
}

interface Parts {
  readonly door: Door;
  readonly watch: WorkspaceWatch;
  readonly upstreams: ReadonlyMap<string, Upstream>;
}

export function streamRoutes(app: FastifyInstance, { door, watch, upstreams }: Parts): void {
  const config = { least: "viewer" } as const;
  /** By their ids, each with the session that opened it. */
  const connections = new Map<string, { readonly connection: BrowserConnection; readonly ended: Caller["ended"] }>();
  let open = 0;

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    events: (over: AbortSignal, caller: Caller) => AsyncIterable<string | Buffer>,
  ): Promise<void> => {
    if (open >= limits.eventStreams)
      throw new Refused(429, "too many browsers follow this server: close some of them", {
        headers: { "Retry-After": "30" },
      });
    const caller = door.caller(request);
    open += 1;
    await sendEvents(reply, caller.ended, (over) => events(over, caller)).finally(() => {
      open -= 1;
    });
  };

  const connectionOf = (request: FastifyRequest<OfStream>, caller: Caller): BrowserConnection => {
    const found = connections.get(request.params.connection);
    if (found === undefined || found.ended !== caller.ended)
      throw new Refused(410, "there is no such connection any more: open another one");
    return found.connection;
  };

  app.get("/designer/events", { config }, (request, reply) =>
    answer(request, reply, (over) => workspaceStream(watch, over)),
  );

  app.get("/designer/streams", { config }, (request, reply) =>
    answer(request, reply, (over, { ended }) => {
      const connection = new BrowserConnection(over);
      connections.set(connection.id, { connection, ended });
      over.addEventListener("abort", () => connections.delete(connection.id), { once: true });
      return connection.events;
    }),
  );

  app.put<OfStream>("/designer/streams/:connection/:name", { config }, async (request, reply) => {
    const caller = door.caller(request);
    const connection = connectionOf(request, caller);
    const { path, lastEventId } = readBody(carriedStream, request);
    await connection.carry(request.params.name, openerOf(path, lastEventId, caller));
    return reply.code(204).send();
  });

  app.delete<OfStream>("/designer/streams/:connection/:name", { config }, (request, reply) => {
    connectionOf(request, door.caller(request)).end(request.params.name);
    return reply.code(204).send();
  });

  const openerOf = (path: string, lastEventId: string | undefined, { user }: Caller): OpenBody => {
    if (path === "/designer/events") return (signal) => workspaceStream(watch, signal);
    const [, name = "", inside = ""] = /^\/targets\/([^/?]+)(\/.*)$/.exec(path) ?? [];
    const upstream = upstreams.get(name);
    if (upstream === undefined) throw new Refused(404, `there is no event stream '${path.slice(0, 100)}'`);
    return (signal) => openStream(upstream, { path: inside, lastEventId, user, signal });
  };
}
