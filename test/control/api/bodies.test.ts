/** Bodies that the API accepts, and how it reads them; refused bodies are cases of the corpus. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "../../support/flows.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { exchangeRaw, parseAnswer } from "../http/raw.ts";
import { send } from "./calls.ts";

const yaml = answering("r", "x");
const json = JSON.stringify({ yaml });
/** Dry runs, which answer like a PUT and start no thread. */
const path = "/flows/orders?dryRun=true";
const mostBytes = 4000;

const accepted: readonly (readonly [what: string, body: string, type: string])[] = [
  ["application/json", json, "application/json"],
  ["a charset", json, 'application/json; charset="UTF-8"'],
  ["a JSON suffix", json, "application/vnd.flow+json"],
  ["the same name in two objects", JSON.stringify({ yaml, params: { yaml: "y" } }), "application/json"],
  [
    "brackets and quotes in strings",
    JSON.stringify({ yaml: `${yaml}# [[{"\\`, params: { "\\": "}]" } }),
    "application/json",
  ],
  ["application/yaml", yaml, "application/yaml"],
  ["YAML with a charset", yaml, "application/yaml; charset=UTF-8"],
  ["an older name of YAML", yaml, "text/x-yaml"],
];

test("the body of a PUT", async (t) => {
  const app = await startTestApp(t, { limits: { managementBodyBytes: mostBytes } });
  const port = Number(new URL(app.url).port);
  const head = (...lines: string[]): string =>
    [
      `PUT /_api${path} HTTP/1.1`,
      "Host: a",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      ...lines,
      "\r\n",
    ].join("\r\n");
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

  for (const [what, body, type] of accepted) {
    await t.test(`is accepted: ${what}`, async () => {
      const answer = await send(app, "PUT", path, { body, headers: { "Content-Type": type } });
      assert.equal(answer.status, 200, await answer.text());
    });
  }

  await t.test("gets 100 Continue before the answer", async () => {
    const text = head(`Content-Length: ${json.length}`, "Expect: 100-continue", "Connection: close");
    assert.match(await exchangeRaw(port, text, json), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  await t.test("may come in chunks", async () => {
    const chunks = [chunk(json.slice(0, 5)), chunk(json.slice(5)), chunk("")];
    const answer = await exchangeRaw(port, head("Transfer-Encoding: chunked", "Connection: close"), ...chunks);
    assert.equal(parseAnswer(answer).status, 200);
  });

  await t.test("is refused when its chunks exceed the limit, and the connection stays usable", async () => {
    const next = `GET /_api/limits HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    const chunks = chunk("x".repeat(1000)).repeat((2 * mostBytes) / 1000) + chunk("");
    const text = await exchangeRaw(port, head("Transfer-Encoding: chunked"), chunks, next);
    assert.deepEqual(text.match(/HTTP\/1.1 \d+/g), ["HTTP/1.1 413", "HTTP/1.1 200"]);
  });
});
