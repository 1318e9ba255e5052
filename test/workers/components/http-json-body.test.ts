/** Lists and maps as bodies of requests, where Camel fails: JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { runSteps } from "../../support/run-route.ts";
import { loopback } from "./http-calls.ts";

test("a list or a map is sent as JSON, with its Content-Type unless a step has set one", async (t) => {
  const server = await startHttpServer(t);
  const sent = async (body: unknown, ...before: readonly object[]) => {
    const steps = JSON.stringify([...before, { to: server.url }]);
    const { error } = await runSteps(steps, { body, headers: { "Content-Type": "text/csv" }, egress: loopback });
    assert.equal(error, undefined);
    const heard = server.heard.at(-1);
    return [heard?.body, heard?.headers["content-type"]];
  };
  const json = "application/json";
  for (const [body, text] of [
    [{ a: [1, new Uint8Array([104, 105])] }, '{"a":[1,"aGk="]}'],
    [[], "[]"],
    [{}, "{}"],
    [new Map([["a", new JsonText("[ 1 ]", [1])]]), '{"a":[1]}'],
  ] as const) {
    assert.deepEqual(await sent(body), [text, json]);
  }
  assert.deepEqual(await sent('{"a":1}', { setBody: { jq: "{b: .a}" } }), ['{"b":1}', json]);
  const own = { setHeader: { name: "Content-Type", constant: "application/x" } };
  assert.deepEqual(await sent({ a: 1 }, own), ['{"a":1}', "application/x"]);
  assert.deepEqual(await sent("a,b"), ["a,b", "text/csv"]);
});
