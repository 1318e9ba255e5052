/** The types of the management API for src/client, made of the OpenAPI document that a runtime serves. */
import { registerHooks } from "node:module";
import type { OpenAPI3 } from "openapi-typescript";
import { endpointTable } from "../src/control/api/index.ts";
import { openapiDocument } from "../src/control/api/openapi-document.ts";
import type { Services } from "../src/control/api/services.ts";

const head = "/** The management API as types, made of its OpenAPI document by `npm run docs`: do not edit. */\n";

export async function clientTypes(): Promise<string> {
  const api = new URL("typescript-api.ts", import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "typescript" ? { url: api, shortCircuit: true } : next(specifier, context),
  });
  const { default: openapiTypescript, astToString } = await import("openapi-typescript");
  // No handler of the table is called, so it needs no runtime.
  const table = endpointTable({ streams: {}, limits: {} } as Services, () => ({}));
  const document = (await openapiDocument(table, "0.0.0")) as OpenAPI3;
  const options = { alphabetize: true, emptyObjectsUnknown: true };
  return head + astToString(await openapiTypescript(withoutUnused(document), options));
}

/** The document without schemas that nothing refers to: each has a twin for what is sent, and few are sent and answered. */
function withoutUnused(document: OpenAPI3): OpenAPI3 {
  const schemas: Readonly<Record<string, object>> = document.components?.schemas ?? {};
  const used = new Set<string>();
  const use = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      use(schemas[name]);
    }
  };
  use(document.paths);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } } as OpenAPI3;
}
