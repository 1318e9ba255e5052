/** The specification's flow triggers: `POST /api/<route-id>`, through a real socket. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";
import { errorOf } from "./answers.ts";

const fresh = webhook("my-first-flow", 'log: "got ${body}"');

test("a fresh flow answers ok, as plain text", async (t) => {
  const app = await startTestApp(t);
  await app.put("my-first-flow", fresh);
  const answer = await app.post("/api/my-first-flow", "a message");
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain\b/);
  assert.equal(await answer.text(), "ok");
});

test("the sample fresh flow does what its comment says", async (t) => {
  const app = await startTestApp(t);
  await app.put("hello", await readFile(new URL("../../routes/samples/hello.yaml", import.meta.url), "utf8"));
  assert.equal(await (await app.post("/api/hello", "a message")).text(), "ok");
  assert.ok(app.logs.some(({ message, stepId }) => message === "hello: a message" && stepId === "log-message"));
});

test("the webhook's path is /api/ and the route's id, and nothing else", async (t) => {
  const app = await startTestApp(t);
  await app.put("flow-id", fresh);
  assert.equal((await app.post("/api/my-first-flow", "x")).status, 200);
  for (const path of ["/api/flow-id", "/my-first-flow", "/api/my-first-flow/more", "/api/my-first-flow/", "/api", "/"])
    await errorOf(await app.post(path, "x"), 404);
  await errorOf(await fetch(`${app.url}/api/my-first-flow`), 405);
});

test("a JSON body reaches the flow's log step as it was sent", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "got ${body}, order ${body[orderNo]}"'));
  const sent = '{ "orderNo": 17,  "items": [1.0] }';
  const answer = await app.post("/api/r", sent, { "Content-Type": "application/json" });
  assert.deepEqual([answer.status, await answer.text()], [200, "ok"]);
  assert.equal(app.logs.find(({ logger }) => logger === "r")?.message, `got ${sent}, order 17`);
});

test("any body is taken and passed to the steps", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "got [${body}]"'));
  const bodies = [
    ["plain", "text/plain"],
    ["<order id='1'/>", "application/xml"],
    ["a=1&b=2", "application/x-www-form-urlencoded"],
    ["a,b\n1,2", "text/csv"],
    ["grün", "text/plain; charset=utf-8"],
    ["x".repeat(200_000), undefined],
    ["", undefined],
  ] as const;
  for (const [body, type] of bodies) {
    const answer = await app.post("/api/r", body, type === undefined ? {} : { "Content-Type": type });
    assert.deepEqual([answer.status, await answer.text()], [200, "ok"], type ?? "no type");
  }
  const bytes = new Uint8Array([0, 255, 254, 128]);
  assert.equal((await app.post("/api/r", bytes, { "Content-Type": "image/png" })).status, 200);
  const lines = app.logs.filter(({ logger }) => logger === "r").map(({ message }) => message);
  const short = bodies.filter(([body]) => body.length < 1000).map(([body]) => `got [${body}]`);
  for (const line of short) assert.ok(lines.includes(line), line);
  assert.equal(lines.length, bodies.length + 1);
});

test("ok is the default only: a body that a step sets is the answer", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'setBody: { simple: "you said ${body}" }'));
  assert.equal(await (await app.post("/api/r", "hello")).text(), "you said hello");
});
