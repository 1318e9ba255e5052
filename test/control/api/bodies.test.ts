/** Bodies that the API accepts, and how it reads them; refused bodies are cases of the corpus. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exchangeRaw, parseAnswer } from "../http/raw.ts";
import { openApi, token } from "./services.ts";

describe("the body of a PUT", () => {
  const accepted: [name: string, body: string, type: string][] = [
    ["application/json", '{"yaml":""}', "application/json"],
    ["a charset", '{"yaml":"x"}', 'application/json; charset="UTF-8"'],
    ["a JSON suffix", '{"yaml":"x"}', "application/vnd.flow+json"],
    ["the same name in two objects", '{"yaml":"x","params":{"yaml":"y"},"limits":{"yaml":1}}', "application/json"],
    ["brackets and quotes in strings", '{"yaml":"[[{\\"\\\\","params":{"\\\\":"}]"}}', "application/json"],
  ];
  for (const [name, body, type] of accepted) {
    it(`is accepted: ${name}`, async (t) => {
      const { send } = await openApi(t);
      const response = await send("PUT", "/_api/flows/orders", { body, headers: { "Content-Type": type } });
      assert.equal(response.status, 200, await response.text());
    });
  }
});

describe("a body on the wire", () => {
  const head = (...lines: string[]): string =>
    [
      "PUT /_api/flows/x HTTP/1.1",
      "Host: a",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      ...lines,
    ]
      .map((line) => `${line}\r\n`)
      .join("");
  const chunk = `${(1000).toString(16)}\r\n${"x".repeat(1000)}\r\n`;

  it("gets 100 Continue before the answer", async (t) => {
    const { port } = await openApi(t);
    const text = head("Content-Length: 12", "Expect: 100-continue", "Connection: close");
    const answer = await exchangeRaw(port, text, '\r\n{"yaml":"x"}');
    assert.match(answer, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  it("413 for chunks that exceed the limit; the rest is dropped and the connection stays usable", async (t) => {
    const { port } = await openApi(t);
    const next = `GET /_api/limits HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    const text = await exchangeRaw(
      port,
      head("Transfer-Encoding: chunked"),
      "\r\n",
      chunk.repeat(9),
      "0\r\n\r\n",
      next,
    );
    assert.deepEqual(text.match(/HTTP\/1.1 \d+/g), ["HTTP/1.1 413", "HTTP/1.1 200"]);
  });

  it("may come in chunks", async (t) => {
    const { port } = await openApi(t);
    const text = head("Transfer-Encoding: chunked", "Connection: close");
    const answer = await exchangeRaw(port, text, '\r\n5\r\n{"yam\r\n7\r\nl":"x"}\r\n0\r\n\r\n');
    assert.equal(parseAnswer(answer).status, 200);
  });
});
