/** `GET /_api/openapi.json`: OpenAPI 3.1, generated from the schemas that the handlers use. */
import type { FastifySchema } from "fastify";
import * as z from "zod";
import { type ErrorCode, errorTable } from "../../shared/errors.ts";
import { isAudited } from "./audit.ts";
import { type Answer, type Endpoint, endpoint } from "./endpoint.ts";
import { anyObject, errorBodySchema, jsonAnswer, noQuery } from "./schemas.ts";

/** `document`: returns the document of all endpoints. */
export function openapiEndpoints(document: () => object | Promise<object>): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/openapi.json",
      action: "runtime.read",
      name: "getOpenApi",
      summary: "This document.",
      query: noQuery,
      answers: { 200: jsonAnswer("OpenAPI 3.1.", anyObject) },
      handle: () => document(),
    }),
  ];
}

/** The schema of an endpoint for the router and the document: the parts of the request, and every status with its body. */
export function schemaOf(one: Endpoint): FastifySchema {
  return {
    operationId: one.name,
    summary: one.summary,
    description: `Action: \`${one.action}\`.`,
    tags: [one.action.slice(0, one.action.indexOf("."))],
    ...(one.open && { security: [] }),
    ...(one.params && { params: one.params }),
    ...(one.query && { querystring: one.query }),
    ...(one.body && { body: one.body.schema }),
    response: { ...successes(one), ...failures(one) },
  };
}

function successes({ answers }: Endpoint): Record<string, object> {
  return Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, documented(answer)]));
}

function documented({ description, content }: Answer): object {
  if (content === undefined) return z.undefined().describe(description);
  return {
    description,
    content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
  };
}

function failures(one: Endpoint): Record<string, object> {
  return Object.fromEntries(
    Object.entries(errorCodesOf(one)).map(([status, codes]) => [
      status,
      {
        description: `X-Error-Code: ${codes.join(", ")}.`,
        content: { "application/json": { schema: errorBodySchema } },
      },
    ]),
  );
}

/** The codes of the errors that the endpoint may answer, by status. */
export function errorCodesOf(one: Endpoint): Readonly<Record<string, readonly ErrorCode[]>> {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of errorsOf(one)) {
    const status = errorTable[code];
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return byStatus;
}

function errorsOf(one: Endpoint): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(["bad_target", "internal"]);
  if (!one.open) for (const code of ["unauthorized", "token_not_configured"] as const) codes.add(code);
  if (one.params) codes.add("bad_id");
  if (one.query) codes.add("bad_query");
  if (one.body) {
    for (const code of ["bad_request", "bad_json", "body_too_large", "unsupported_media_type"] as const)
      codes.add(code);
  }
  if (isAudited(one)) codes.add("audit_failed");
  for (const code of one.errors ?? []) codes.add(code);
  return codes;
}
