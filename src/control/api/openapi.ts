/** `GET /_api/openapi.json`: OpenAPI 3.1, generated from the schemas that the handlers use. */
import type { FastifySchema } from "fastify";
import * as z from "zod";
import { type ErrorCode, errorTable } from "../../shared/errors.ts";
import { isAudited } from "./audit.ts";
import { type Answer, type Endpoint, endpoint } from "./endpoint.ts";
import { anyObject, errorBodySchema, jsonAnswer, noQuery } from "./schemas.ts";

/** `document`: returns the document that the router generates from all endpoints. */
export function openapiEndpoints(document: () => object): Endpoint[] {
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

export function openapiInfo(version: string) {
  return {
    openapi: "3.1.0",
    info: { title: "Bulkhead management API", version },
    servers: [{ url: "/" }],
    components: { securitySchemes: { bearer: { type: "http" as const, scheme: "bearer" } } },
    security: [{ bearer: [] }],
  };
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

const textBodies = {
  yaml: ["application/yaml", { schema: { type: "string", description: "The flow's YAML, without params." } }],
  csv: [
    "text/csv",
    { schema: { type: "string", description: "A line of names of columns, then a line for each row." } },
  ],
} as const;

/** Adds to the document what the router cannot express: bodies in YAML and CSV, and bodies that are optional. */
export function withBodies<T extends { paths?: Readonly<Record<string, object | undefined>> | undefined }>(
  document: T,
  endpoints: readonly Endpoint[],
): T {
  const paths: Record<string, object | undefined> = { ...document.paths };
  for (const { method, path, body } of endpoints) {
    const texts = body?.media.flatMap((media) => (media === "json" ? [] : [textBodies[media]])) ?? [];
    if (texts.length === 0 && body?.optional !== true) continue;
    const templated = path.replaceAll(/:(\w+)/g, "{$1}");
    const item: Record<string, unknown> = { ...paths[templated] };
    const operation = item[method.toLowerCase()] as { requestBody: { content: object } };
    const content = { ...operation.requestBody.content, ...Object.fromEntries(texts) };
    item[method.toLowerCase()] = {
      ...operation,
      requestBody: { ...operation.requestBody, required: body?.optional !== true, content },
    };
    paths[templated] = item;
  }
  return { ...document, paths };
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
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of errorsOf(one)) {
    const status = errorTable[code];
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      status,
      {
        description: `X-Error-Code: ${codes.join(", ")}.`,
        content: { "application/json": { schema: errorBodySchema } },
      },
    ]),
  );
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
