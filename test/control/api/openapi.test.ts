/** `GET /_api/openapi.json` describes the table of endpoints. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { endpointTable } from "../../../src/control/api/index.ts";
import type { Services } from "../../../src/control/api/services.ts";
import { errorTable } from "../../../src/shared/errors.ts";
import { startTestApp } from "../../support/start-app.ts";

const table = endpointTable({ streams: {}, limits: {} } as Services, () => ({}));

const errorHeadersSchema = z.strictObject({
  "X-Error-Code": z.object({ required: z.literal(true), schema: z.object({ enum: z.array(z.string()) }) }),
});
const contentSchema = z.record(z.string(), z.strictObject({ schema: z.record(z.string(), z.unknown()) }));
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string().min(1),
  tags: z.array(z.string()),
  security: z.array(z.unknown()).optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.enum(["path", "query"]),
        required: z.boolean(),
        schema: z.record(z.string(), z.unknown()),
      }),
    )
    .optional(),
  requestBody: z.object({ required: z.boolean(), content: contentSchema }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string().min(1),
      content: contentSchema.optional(),
      headers: errorHeadersSchema.optional(),
      "x-events": z.record(z.string(), z.strictObject({ $ref: z.string() })).optional(),
    }),
  ),
});
const documentSchema = z.object({
  openapi: z.string(),
  info: z.object({ title: z.string(), version: z.literal("0.0.0-test") }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.object({ bearer: z.object({ type: z.literal("http"), scheme: z.literal("bearer") }) }),
  }),
  security: z.tuple([z.object({ bearer: z.array(z.string()) })]),
});

test("the OpenAPI document", async (t) => {
  const app = await startTestApp(t);
  const response = await app.api("/openapi.json");
  assert.equal(response.status, 200);
  const text = await response.text();
  const document = documentSchema.parse(JSON.parse(text));

  await t.test("is OpenAPI 3.1 with every endpoint of the table and all its statuses", () => {
    assert.match(document.openapi, /^3\.1\./);

    const names = new Set<string>();
    for (const { method, path, name, answers, errors = [], open, params, body, query } of table) {
      const templated = path.replaceAll(/:(\w+)/g, "{$1}");
      const operation = operationSchema.parse(document.paths[templated]?.[method.toLowerCase()], { reportInput: true });
      assert.equal(operation.operationId, name);
      names.add(name);
      const statuses = new Set(Object.keys(operation.responses));
      for (const status of Object.keys(answers)) assert.ok(statuses.has(status), `${name}: ${status}`);
      for (const code of errors) {
        const { headers } = operation.responses[errorTable[code]] ?? {};
        assert.ok(headers?.["X-Error-Code"].schema.enum.includes(code), `${name}: ${code}`);
      }
      if (!open) for (const status of ["401", "503"]) assert.ok(statuses.has(status), `${name}: ${status}`);
      assert.equal(operation.security?.length === 0, open === true);
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        assert.deepEqual(content?.["application/json"]?.schema, { $ref: "#/components/schemas/Error" });
      }
      const parameters = operation.parameters ?? [];
      const inPath = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
      assert.deepEqual(
        inPath,
        [...path.matchAll(/:(\w+)/g)].map(([, word]) => word),
      );
      assert.equal(params !== undefined, inPath.length > 0);
      assert.equal(operation.requestBody?.required, body && body.optional !== true, name);
      if (query === undefined) assert.equal(parameters.length, inPath.length);
    }
    assert.equal(names.size, table.length);
    const described = Object.values(document.paths).reduce((sum: number, item) => sum + Object.keys(item).length, 0);
    assert.equal(described, table.length);
  });

  await t.test("has a schema for each reference, and the types that a caller sends", () => {
    for (const [, name = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      assert.ok(name in document.components.schemas, name);
    }
    assert.doesNotMatch(text, /PLACEHOLDER|"\$ref":"(?!#\/components)/);
    const query = operationSchema.parse(document.paths["/_api/runs"]?.get).parameters ?? [];
    assert.deepEqual(
      query.map(({ name, schema }) => [name, schema.type]),
      [
        ["routeId", "string"],
        ["flowId", "string"],
        ["status", "string"],
        ["since", "string"],
        ["before", "string"],
        ["limit", "integer"],
      ],
    );
    const events = (path: string) => operationSchema.parse(document.paths[path]?.get).responses[200]?.["x-events"];
    assert.deepEqual(
      [events("/_api/trace/stream"), events("/_api/logs/stream")],
      [
        { trace: { $ref: "#/components/schemas/TraceEvent" }, dropped: { $ref: "#/components/schemas/DroppedEvents" } },
        { log: { $ref: "#/components/schemas/LogEvent" }, dropped: { $ref: "#/components/schemas/DroppedEvents" } },
      ],
    );
    const put = operationSchema.parse(document.paths["/_api/flows/{id}"]?.put);
    assert.deepEqual(Object.keys(put.requestBody?.content ?? {}), ["application/json", "application/yaml"]);
    const dryRun = put.parameters?.find(({ name }) => name === "dryRun");
    assert.equal(dryRun?.schema.type, "boolean");
  });
});
