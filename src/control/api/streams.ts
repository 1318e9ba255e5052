/** `/_api/trace/stream` and `/_api/logs/stream`: hands the socket over to the streams. */
import * as z from "zod";
import { streamPatterns, streamWords } from "../streams/stream-filter.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import type { Services, StreamEndpoint } from "./services.ts";
import { droppedSchema, logEventSchema, traceEventSchema } from "./stream-schemas.ts";

/** Described here for the OpenAPI document only; the streams validate it. */
const anything = z.unknown().optional();
const once = (schema: object, description: string) => anything.meta({ type: "string", ...schema, description });
/** A parameter that may be repeated. */
const repeatable = (schema: object, description: string) => {
  const one = { type: "string", ...schema };
  return anything.meta({ anyOf: [one, { type: "array", items: one, minItems: 1 }], description });
};
const named = (what: string) =>
  repeatable({ minLength: 1 }, `Events of this ${what}, or of these; * stands for any characters.`);
/** The streams accept a `*` only where it matches one of the words, which a short schema cannot express. */
const words = (all: readonly string[], what: string) =>
  repeatable({ pattern: `^(?:${all.map((word) => word.replaceAll(".", "[.]")).join("|")}|.*[*].*)$` }, what);

const common = {
  flowId: named("flow"),
  routeId: named("route"),
  runId: named("run"),
  stepId: named("step"),
  sample: once({ pattern: streamPatterns.sample }, "The share of runs to send, above 0 to 1."),
  session: named("test session"),
  replay: once({ pattern: streamPatterns.replay }, "So many of the last events first."),
  lastEventId: once({ pattern: streamPatterns.lastEventId }, "As the header Last-Event-ID."),
};
const traceQuery = z.looseObject({
  ...common,
  type: words(streamWords.type, "Of this type, or of these; * stands for any characters, and must give one."),
  status: words(streamWords.status, "Of runs with this status, or with these; * as in type."),
  body: once({ enum: streamWords.body }, "How much of bodies is sent; none by default."),
});
const logQuery = z.looseObject({
  ...common,
  level: repeatable({ pattern: streamPatterns.level }, "The least severe level to send."),
});

export function streamEndpoints({ streams, refuseOverload }: Services): Endpoint[] {
  const guarded = (stream: StreamEndpoint): StreamEndpoint => ({
    subscribe(request, reply, of) {
      refuseOverload();
      stream.subscribe(request, reply, of);
    },
  });
  return [
    streamEndpoint(
      { path: "/_api/trace/stream", name: "streamTrace", summary: "Live trace events.", query: traceQuery },
      { trace: traceEventSchema },
      guarded(streams.trace),
    ),
    streamEndpoint(
      { path: "/_api/logs/stream", name: "streamLogs", summary: "Live log events.", query: logQuery },
      { log: logEventSchema },
      guarded(streams.logs),
    ),
  ];
}

interface StreamHead {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly query: typeof traceQuery | typeof logQuery;
}

function streamEndpoint(
  head: StreamHead,
  events: Readonly<Record<string, z.ZodType>>,
  stream: StreamEndpoint,
): Endpoint {
  const content = { "text/event-stream": z.string() };
  return endpoint({
    ...head,
    method: "GET",
    action: "streams.read",
    head: false,
    answers: {
      200: { description: "Server-sent events.", content, events: { ...events, dropped: droppedSchema } },
    },
    errors: ["too_many_subscribers", "overloaded", "draining"],
    handle({ request, reply }) {
      stream.subscribe(request.raw, reply.raw, request.query as Readonly<Record<string, string | string[]>>);
      return reply.hijack();
    },
  });
}
