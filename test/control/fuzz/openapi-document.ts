/** The runtime's own OpenAPI document, as far as a caller needs it to make requests and to hold answers against it. */
import assert from "node:assert/strict";
import { type Schema, Validator } from "@cfworker/json-schema";
import { manage, type World } from "../corpus/world.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Operation {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly operationId: string;
  readonly open: boolean;
  readonly parameters: readonly Parameter[];
  /** By content type; undefined: it takes no body. */
  readonly body: Content | undefined;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

interface Item {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Operation["responses"];
}

export interface OpenApi {
  readonly operations: readonly Operation[];
  /** The schema that `#/components/schemas/<name>` stands for. */
  resolve(schema: Schema): Schema;
  /** What is wrong with the value; undefined: nothing. */
  problemOf(schema: Schema, value: unknown): string | undefined;
}

export async function readOpenApi(world: World): Promise<OpenApi> {
  const answer = await manage(world, "GET", "/openapi.json");
  const { paths, components } = (await answer.json()) as {
    paths: Record<string, Record<string, Item>>;
    components: { schemas: Record<string, Schema> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, security, parameters = [], requestBody, responses }]): Operation => ({
        ...{ path, operationId, parameters, responses, body: requestBody?.content },
        method: method.toUpperCase(),
        open: security?.length === 0,
      }),
    ),
  );
  assert.ok(operations.length > 0);
  const validators = new Map<Schema, Validator>();
  return {
    operations,
    resolve(schema) {
      const name = schema.$ref?.replace("#/components/schemas/", "");
      return name === undefined ? schema : (components.schemas[name] as Schema);
    },
    problemOf(schema, value) {
      const validator = validators.get(schema) ?? new Validator({ ...schema, components } as Schema, "2020-12");
      validators.set(schema, validator);
      const { valid, errors } = validator.validate(value);
      const last = errors.at(-1);
      return valid ? undefined : `${last?.instanceLocation}: ${last?.error}`;
    },
  };
}
