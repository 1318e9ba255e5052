/**
 * Random requests for every operation of the runtime's own OpenAPI document. Each answer must have a status that the operation
 * documents, and a body as its schema says; without the token every one but the open operation is refused.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import fc from "fast-check";
import { errorTable } from "../../../src/shared/errors.ts";
import { turn } from "../../support/clock.ts";
import { errorOf } from "../corpus/check-case.ts";
import { furnish, manage, type World } from "../corpus/world.ts";
import { type OpenApi, type Operation, readOpenApi } from "./openapi-document.ts";
import { type RandomRequest, requestsFor } from "./random-requests.ts";
import { type Length, lengthOf } from "./seed.ts";

/** Of the server's errors, those that a caller may be told of: not yet there, not now, no room. */
const bearable = new Set([501, 503, 507]);

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Counts of the answers: `operation status` -> how many. */
export type Tally = Map<string, number>;

export async function fuzzApi(world: World, length: Length): Promise<Tally> {
  const api = await readOpenApi(world);
  for (const path of ["echo", "headers"])
    await (await fetch(`${world.url}/api/${path}`, { method: "POST" })).arrayBuffer();
  const tags = (await (await manage(world, "GET", "/flows")).json()) as { id: string; hash: string }[];
  const runs = (await (await manage(world, "GET", "/runs?limit=5")).json()) as { id: string }[];
  const known = {
    ids: ["echo", "resting", "callee", "fuzz.a", "fuzz.b", "FUZZ.A", ...runs.map(({ id }) => id)],
    tags: tags.slice(0, 2).map(({ hash }) => `"${hash}"`),
  };
  const requests = requestsFor(api, known);
  // Making them takes longer than a connection may be idle: what the server has closed meanwhile is noticed first.
  await turn();
  const tally: Tally = new Map();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (one) => {
      // What requests have stopped or removed comes back, or soon every id would be unknown.
      if (count++ % 50 === 0) await furnish(world);
      const answer = await send(world, one, { Authorization: `Bearer ${world.token}` });
      const key = `${one.operation.operationId} ${answer.status}`;
      tally.set(key, (tally.get(key) ?? 0) + 1);
      checkAnswer(api, one.operation, answer, world);
      const refused = await send(world, one, {});
      if (!isBadTarget(refused))
        assert.equal(refused.status === 401, !one.operation.open, `without a token: ${refused.status}`);
    }),
    lengthOf(length),
  );
  return tally;
}

export function checkAnswer(api: OpenApi, operation: Operation, answer: Answer, world: Pick<World, "secrets">): void {
  const { status, headers, body } = answer;
  assert.ok(status < 500 || bearable.has(status), `${status} ${body}`);
  const documented = operation.responses[status];
  assert.ok(documented !== undefined, `${operation.operationId} does not document ${status}: ${body}`);
  if (status >= 400) {
    errorOf({ ...answer, body: Buffer.from(body).toString("latin1") }, world);
    const code = headers["x-error-code"] ?? "";
    assert.ok(
      code in errorTable && new RegExp(`\\b${code}\\b`).test(documented.description),
      `${status} ${code} is not documented`,
    );
  }
  const type = headers["content-type"]?.split(";")[0];
  if (documented.content === undefined) {
    assert.equal(body, "");
    return;
  }
  assert.ok(type !== undefined && type in documented.content, `${status} has the type ${type}`);
  const schema = documented.content[type]?.schema;
  if (schema === undefined || type !== "application/json") return;
  assert.equal(api.problemOf(schema, JSON.parse(body)), undefined, body.slice(0, 500));
}

/** A target that is not in normal form is refused before anybody asks for a token. */
function isBadTarget({ headers }: Answer): boolean {
  return headers["x-error-code"] === "bad_target";
}

/** Not by fetch, which would repair the target. A stream's head is its answer. */
async function send(
  { port }: World,
  one: RandomRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<Answer> {
  const headers = {
    ...one.headers,
    ...credentials,
    ...(one.body !== undefined && { "Content-Length": Buffer.byteLength(one.body) }),
  };
  const sent = request({ host: "127.0.0.1", port, method: one.operation.method, path: one.target, headers });
  sent.end(one.body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = { status: response.statusCode ?? 0, headers: response.headers as Record<string, string> };
  if (answer.headers["content-type"] === "text/event-stream") {
    sent.destroy();
    return { ...answer, body: "" };
  }
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += chunk;
  return { ...answer, body };
}
