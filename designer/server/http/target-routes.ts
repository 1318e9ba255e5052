/** The API of the runtimes behind `/targets/:target`, as far as proxy/table.ts allows it, and calls of flows. */
import type { FastifyInstance } from "fastify";
import type { Log } from "../log.ts";
import { callFlow, flowCall } from "../proxy/call.ts";
import { passOn } from "../proxy/proxy.ts";
import { operations, refusedOperations } from "../proxy/table.ts";
import { refuseOddPath } from "../proxy/target-path.ts";
import type { Upstream } from "../proxy/upstream.ts";
import { Refused } from "../refused.ts";
import { readBody } from "./body.ts";
import type { Door } from "./door.ts";

interface OfTarget {
  readonly Params: { readonly target: string };
}

interface Parts {
  readonly door: Door;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly log: Log;
}

export async function targetRoutes(app: FastifyInstance, { door, upstreams, log }: Parts): Promise<void> {
  const upstreamOf = (name: string): Upstream => {
    const found = upstreams.get(name);
    if (found === undefined)
      throw new Refused(
        404,
        `there is no target '${name.slice(0, 100)}'; there are ${[...upstreams.keys()].join(", ")}`,
      );
    return found;
  };

  app.post<OfTarget>("/targets/:target/call", { config: { least: "editor" } }, async (request, reply) => {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    return callFlow(readBody(flowCall, request), upstreamOf(request.params.target), gone.signal);
  });

  await app.register((proxied, _options, done) => {
    // Bodies are passed on as they come.
    proxied.removeAllContentTypeParsers();
    proxied.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const operation of operations) {
      proxied.route<OfTarget>({
        method: operation.method,
        url: `/targets/:target${operation.path}`,
        exposeHeadRoute: false,
        config: { least: operation.least },
        handler: async (request, reply) => {
          const { target } = request.params;
          const path = request.url.slice(`/targets/${target}`.length);
          refuseOddPath(request.url);
          if (Object.values(request.params).includes("")) throw new Refused(400, "the path ends in the middle");
          const upstream = upstreamOf(target);
          const caller = door.caller(request);
          await passOn({ request, reply, path, caller }, operation, upstream);
          if (operation.method !== "GET")
            log.line(
              `${JSON.stringify(caller.user.name)} ${operation.method} ${path} at ${target}: ${reply.raw.statusCode}`,
            );
        },
      });
    }
    for (const { method, path, why } of refusedOperations) {
      proxied.route({
        method,
        url: `/targets/:target${path}`,
        exposeHeadRoute: false,
        config: { least: "viewer" },
        handler: () => {
          throw new Refused(403, `the designer does not pass this on: ${why}`);
        },
      });
    }
    done();
  });
}
