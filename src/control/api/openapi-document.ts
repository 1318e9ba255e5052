/** Makes the OpenAPI document of the endpoints. Nothing here serves a request, so it is built only when somebody asks for it. */
import fastify from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { Endpoint } from "./endpoint.ts";
import { errorCodesOf, schemaOf } from "./openapi.ts";

/** No handler of `endpoints` is called. `version`: that of the runtime. */
export async function openapiDocument(endpoints: readonly Endpoint[], version: string): Promise<object> {
  const { default: swagger } = await import("@fastify/swagger");
  const app = fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => String);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Bulkhead management API", version },
      servers: [{ url: "/" }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  for (const one of endpoints)
    app.route({ method: one.method, url: one.path, schema: schemaOf(one), handler: () => undefined });
  await app.ready();
  return completed(app.swagger() as Document, endpoints);
}

type Document = { readonly paths?: Readonly<Record<string, object | undefined>> };

interface Operation {
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, object>>;
}

/**
 * Adds what the router's schemas cannot express: bodies in YAML and CSV, bodies that are optional, the codes of errors, and the
 * events of streams (`x-events`: by their names; OpenAPI has no place for them before 3.2).
 */
function completed<D extends Document>(document: D, endpoints: readonly Endpoint[]): D {
  const paths: Record<string, object | undefined> = { ...document.paths };
  for (const one of endpoints) {
    const templated = one.path.replaceAll(/:(\w+)/g, "{$1}");
    const method = one.method.toLowerCase();
    const item = { ...paths[templated] } as Record<string, Operation>;
    const operation = item[method] as Operation;
    const responses = { ...operation.responses, ...withEvents(one, operation), ...withCodes(one, operation) };
    item[method] = { ...operation, ...bodyOf(one, operation), responses };
    paths[templated] = item;
  }
  return { ...document, paths };
}

const textBodies = {
  yaml: [
    "application/yaml",
    { schema: { type: "string", minLength: 1, description: "The flow's YAML, without params." } },
  ],
  csv: [
    "text/csv",
    {
      schema: {
        type: "string",
        minLength: 1,
        description: "A line of names of columns, then a line for each row.",
      },
    },
  ],
} as const;

function bodyOf({ body }: Endpoint, { requestBody }: Operation): object {
  if (body === undefined || requestBody === undefined) return {};
  const texts = body.media.flatMap((media) => (media === "json" ? [] : [textBodies[media]]));
  const content = { ...requestBody.content, ...Object.fromEntries(texts) };
  return { requestBody: { ...requestBody, required: body.optional !== true, content } };
}

function withCodes(one: Endpoint, { responses }: Operation): Operation["responses"] {
  const failed = Object.entries(errorCodesOf(one)).map(([status, codes]) => {
    const header = { required: true, schema: { type: "string", enum: codes } };
    return [status, { ...responses[status], headers: { "X-Error-Code": header } }];
  });
  return Object.fromEntries(failed);
}

function withEvents({ answers }: Endpoint, { responses }: Operation): Operation["responses"] {
  const streams = Object.entries(answers).flatMap(([status, { events }]) => {
    if (events === undefined) return [];
    const refs = Object.entries(events).map(([name, schema]) => [
      name,
      { $ref: `#/components/schemas/${schema.meta()?.id}` },
    ]);
    return [[status, { ...responses[status], "x-events": Object.fromEntries(refs) }]];
  });
  return Object.fromEntries(streams);
}
