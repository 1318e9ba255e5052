/** `GET /_api/metrics`: for Prometheus. */
import * as z from "zod";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";

export function metricEndpoints({ metrics }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/metrics",
      action: "runtime.read",
      name: "getMetrics",
      summary: "Metrics in the Prometheus text format.",
      query: noQuery,
      answers: { 200: { description: "The exposition.", content: { "text/plain": z.string() } } },
      async handle({ reply }) {
        const { contentType, body } = await metrics();
        return reply.type(contentType).send(body);
      },
    }),
  ];
}
