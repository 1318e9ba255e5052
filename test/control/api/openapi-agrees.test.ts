/** The OpenAPI document and the runtime accept the same requests: each parameter and each JSON body, in both directions. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { spoilt, valuesOf } from "../fuzz/schema-values.ts";
import { send } from "./calls.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: Schema;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
}

/**
 * Documents that readers of their own read, of which the API checks only that they are objects; sets, whose ids must differ, too; and the
 * test of a connection, which would connect to any server.
 */
const readElsewhere = new Set("ValueMappingInput MessageMappingInput ConnectionTestInput SetInput".split(" "));
const refusesDocuments = ["session_invalid", "connection_invalid"];
/** The runtime accepts globs only where they match a word, which the schema does not express. */
const isUnsaid = (name: string, text: string): boolean => ["type", "status"].includes(name) && text.includes("*");

const mostly = (good: readonly string[], bad: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: fc.constantFrom(...bad) });
const server = mostly(
  "db.example.org db.example.org. [a] [a]:1 [10.0.0.1] DB:5432 _a 10.0.0.1 10.0.0.1:80 ::1 [::1]:5432 fe80::a:1 a.b:65535".split(
    " ",
  ),
  [
    ..."a:0 a:65536 a:5432:1 [a [] [*.a] [a_]- [::1 http://a a@b a/b a,b *.a * 1 10.0.0 10.0.0.256 -a a- a..b .a".split(
      " ",
    ),
    ...["", "a b", "a".repeat(64)],
  ],
);
const pattern = mostly(
  "*.example.org:1 a:1 [a]:1 [*.a]:1 [10.0.0.0/8]:1 10.0.0.0/8:9092 10.0.0.1:1 [::1]:1 [fe80::/10]:1 [fe80::/128]:9".split(
    " ",
  ),
  "a *.a *:1 10.0.0.0/33:1 [::1] ::1 [::/129]:1 http/a:1 a:0 a,b:1".split(" "),
);
/** Generators would take seconds to make addresses of their patterns. */
const hints = {
  host: server,
  servers: fc.array(server, { minLength: 1, maxLength: 2 }),
  alsoServers: fc.array(pattern, { minLength: 1, maxLength: 2 }),
};

const numRuns = Number(process.env["AGREE_RUNS"] ?? 15);

async function open(t: TestContext) {
  const app = await startTestApp(t);
  const document = (await (await send(app, "GET", "/openapi.json")).json()) as {
    paths: Record<string, Record<string, { parameters?: Parameter[]; requestBody?: { content: Content } }>>;
    components: { schemas: Record<string, Schema> };
  };
  const { components } = document;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]): Operation => {
      const body = requestBody?.content["application/json"]?.schema;
      return { method: method.toUpperCase(), path, parameters, body };
    }),
  );
  const resolve = (schema: Schema): Schema =>
    components.schemas[schema.$ref?.replace("#/components/schemas/", "") ?? ""] ?? schema;
  const takes = (schema: Schema): ((value: unknown) => boolean) => {
    const validator = new Validator({ ...schema, components } as Schema, "2020-12");
    return (value) => validator.validate(value).valid;
  };
  return { app, operations: operations.filter(({ method }) => method !== "HEAD"), resolve, takes };
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** The `X-Error-Code` of a request that was refused for what it says; undefined: it was taken. */
async function refusal(app: TestApp, operation: Operation, target: string, body?: string): Promise<string | undefined> {
  const answer = await send(app, operation.method, target.slice("/_api".length), body === undefined ? {} : { body });
  if (answer.headers.get("content-type") === "text/event-stream") return void (await answer.body?.cancel());
  const text = await answer.text();
  if (operation.path === "/_api/test/validate" && text.includes('"valid":false')) return "session_invalid";
  const malformed = answer.status === 400 || refusesDocuments.includes(answer.headers.get("x-error-code") ?? "");
  if (!malformed) return undefined;
  assert.doesNotMatch(text, /Invalid|Too (?:big|small)|is not valid/, "a message without a schema");
  return answer.headers.get("x-error-code") ?? "400";
}

/** Ids and query parameters are good, but for the one that is tried. */
function targetOf({ path, parameters }: Operation, tried?: Parameter, values: readonly string[] = []): string {
  const filled = parameters
    .filter((one) => one.in === "path")
    .reduce(
      (text, one) => text.replace(`{${one.name}}`, encodeURIComponent(one === tried ? values.join() : "a")),
      path,
    );
  if (tried?.in !== "query") return filled;
  return `${filled}?${values.map((value) => `${tried.name}=${encodeURIComponent(value)}`).join("&")}`;
}

function bodyOf({ body, method, path }: Operation): string | undefined {
  if (body === undefined || method === "DELETE") return undefined;
  if (path.endsWith("/can")) return '{"route": "a"}';
  if (path.endsWith("/invoke")) return '{"sessionId": "a"}';
  if (path.endsWith("/expression")) return '{"language": "simple", "expression": "a"}';
  if (isSession(path)) return '{"flowId": "a"}';
  if (path.endsWith("/lookup")) return '{"value": 1}';
  if (path.startsWith("/_api/connections/")) return method === "PUT" ? '{"kind": "ftp", "host": "a"}' : "{}";
  if (path.endsWith("/test")) return path.includes("message-mappings") ? '{"input": {}}' : '{"document": {}}';
  if (path.endsWith("/trigger") || path.endsWith("}/retry")) return "{}";
  if (path.startsWith("/_api/failed/")) return '{"flowId": "a"}';
  return '{"yaml": "a", "revision": 1, "route": "a", "set": "a"}';
}

/** Whether the body is a session's document. */
function isSession(path: string): boolean {
  return ["/_api/test/session", "/_api/test/validate"].includes(path);
}

/** Returns the values that a text of a query may represent. */
function readingsOf(texts: readonly string[]): readonly unknown[] {
  const [text = "", ...more] = texts;
  if (more.length > 0) return [texts];
  const words: Readonly<Record<string, unknown>> = { true: true, false: false };
  return [
    text,
    [text],
    ...(/^[0-9]{1,15}$/.test(text) ? [Number(text)] : []),
    ...(Object.hasOwn(words, text) ? [words[text]] : []),
  ];
}

const texts = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.stringMatching(/^[A-Za-z0-9._*:+TZ-]{1,24}$/),
    fc.constantFrom(
      ..."con COM1.x a..b a. . 0 00 1e3 true TRUE 24h 0m 1.5H info Debug 0.5 1.0 1.01 a-1 run.* *x".split(" "),
    ),
    fc.constantFrom(
      "",
      " ",
      "2026-01-31T08:00:00Z",
      "2026-01-31t08:00:00z",
      "2026-02-30T08:00:00Z",
      "600001",
      "999999999999999",
    ),
  )
  .filter((text) => text.isWellFormed());

test("the runtime accepts the parameters that the document allows, and refuses the others", async (t) => {
  const { app, operations, resolve, takes } = await open(t);
  let tried = 0;
  for (const operation of operations) {
    for (const parameter of operation.parameters) {
      const isTaken = takes(parameter.schema);
      const good = valuesOf(parameter.schema, resolve)
        .filter(isTaken)
        .map((value) => [value].flat().map(String));
      const values = fc.oneof(good, fc.array(texts, { minLength: 1, maxLength: parameter.in === "path" ? 1 : 2 }));
      await fc.assert(
        fc.asyncProperty(values, async (given) => {
          // An empty segment or a dot makes another path.
          if (parameter.in === "path" && /^\.{0,2}$/.test(given.join())) return;
          const body = bodyOf(operation);
          const refused = await refusal(app, operation, targetOf(operation, parameter, given), body);
          if (given.some((text) => isUnsaid(parameter.name, text))) return;
          const taken = readingsOf(given).some(isTaken);
          tried += 1;
          assert.equal(
            refused === undefined,
            taken,
            `${operation.method} ${operation.path} ${parameter.name}: ${refused}`,
          );
        }),
        { numRuns },
      );
    }
  }
  assert.ok(tried > 500, `${tried} values`);
});

test("the runtime accepts the bodies that the document allows, and refuses the others", async (t) => {
  const { app, operations, resolve, takes } = await open(t);
  // A trial without a document is one of the mapping that is installed.
  await send(app, "PUT", "/message-mappings/a", { body: { mappings: { "/a": "b" } } });
  let tried = 0;
  for (const operation of operations) {
    const { body } = operation;
    if (body === undefined || readElsewhere.has(body.$ref?.split("/").at(-1) ?? "")) continue;
    const isTaken = takes(body);
    const some = valuesOf(body, resolve, hints);
    await fc.assert(
      fc.asyncProperty(fc.oneof(some, spoilt(some)), async (value) => {
        const text = JSON.stringify(value);
        // The document does not describe the grammar of mocks, which may also name the flow of a session.
        if (isSession(operation.path) && isTaken(value)) return;
        if (Buffer.byteLength(text) > 2000) return;
        const refused = await refusal(app, operation, targetOf(operation), text);
        tried += 1;
        assert.equal(
          refused === undefined,
          isTaken(value),
          `${operation.method} ${operation.path}: ${refused} ${text}`,
        );
      }),
      { numRuns: 4 * numRuns },
    );
  }
  assert.ok(tried > 200, `${tried} values`);
});
