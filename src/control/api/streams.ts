/** `/_api/trace/stream` and `/_api/logs/stream`: handed over to the streams, which own the socket from then on. */
import * as z from "zod";
import { type Endpoint, endpoint } from "./endpoint.ts";
import type { Services, StreamEndpoint } from "./services.ts";

const repeatable = z.union([z.string(), z.array(z.string())]).optional();

/** Only named here, for the OpenAPI document; the streams check them. */
const common = {
  flowId: repeatable,
  routeId: repeatable,
  runId: repeatable,
  stepId: repeatable,
  sample: repeatable.meta({ description: "The share of runs to send, above 0 to 1." }),
  session: repeatable.meta({ description: "A test session's id." }),
  replay: repeatable.meta({ description: "So many of the last events first." }),
  lastEventId: repeatable.meta({ description: "As the header Last-Event-ID." }),
};
const traceQuery = z.looseObject({ ...common, type: repeatable, status: repeatable, body: repeatable });
const logQuery = z.looseObject({
  ...common,
  level: repeatable.meta({ description: "The least severe level to send." }),
});

export function streamEndpoints({ streams, refuseOverload }: Services): Endpoint[] {
  const guarded = (stream: StreamEndpoint): StreamEndpoint => ({
    subscribe(request, reply, of) {
      refuseOverload();
      stream.subscribe(request, reply, of);
    },
  });
  return [
    streamEndpoint("/_api/trace/stream", "streamTrace", "Live trace events.", traceQuery, guarded(streams.trace)),
    streamEndpoint("/_api/logs/stream", "streamLogs", "Live log events.", logQuery, guarded(streams.logs)),
  ];
}

function streamEndpoint(
  path: string,
  name: string,
  summary: string,
  query: typeof traceQuery | typeof logQuery,
  stream: StreamEndpoint,
): Endpoint {
  return endpoint({
    method: "GET",
    path,
    action: "streams.read",
    name,
    summary,
    head: false,
    query,
    answers: { 200: { description: "Server-sent events.", content: { "text/event-stream": z.string() } } },
    errors: ["too_many_subscribers", "overloaded", "draining"],
    handle({ request, reply }) {
      stream.subscribe(request.raw, reply.raw, request.query as Readonly<Record<string, string | string[]>>);
      return reply.hijack();
    },
  });
}
