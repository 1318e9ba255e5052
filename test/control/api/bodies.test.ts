import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { exchangeRaw, parseAnswer } from "../http/raw.ts";
import { assertError } from "./answers.ts";
import { openApi, token } from "./services.ts";

interface Case {
  readonly name: string;
  readonly body?: string | Uint8Array;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  readonly says?: RegExp;
}

const nested = (depth: number): string => `{"yaml":"x","params":${"[".repeat(depth)}${"]".repeat(depth)}}`;

const cases: readonly Case[] = [
  { name: "no body", status: 400, code: "bad_request", says: /missing/ },
  { name: "an empty body", body: "", status: 400, code: "bad_request", says: /missing/ },
  { name: "blanks", body: "  ", status: 400, code: "bad_json", says: /empty/ },
  { name: "null", body: "null", status: 400, code: "bad_request", says: /JSON object/ },
  { name: "an array", body: "[]", status: 400, code: "bad_request" },
  { name: "a string", body: '"yaml"', status: 400, code: "bad_request" },
  { name: "no yaml", body: "{}", status: 400, code: "bad_request", says: /'yaml' is missing/ },
  { name: "yaml null", body: '{"yaml":null}', status: 400, code: "bad_request", says: /'yaml' must be/ },
  { name: "yaml a number", body: '{"yaml":1}', status: 400, code: "bad_request" },
  { name: "half a surrogate pair", body: '{"yaml":"\\ud800"}', status: 400, code: "bad_request", says: /surrogate/ },
  { name: "params an array", body: '{"yaml":"x","params":[]}', status: 400, code: "bad_request", says: /'params'/ },
  {
    name: "params that are not flat",
    body: '{"yaml":"x","params":{"a":{}}}',
    status: 400,
    code: "bad_request",
    says: /'a'/,
  },
  { name: "params with __proto__", body: '{"yaml":"x","params":{"__proto__":"x"}}', status: 400, code: "bad_request" },
  { name: "limits a string", body: '{"yaml":"x","limits":"x"}', status: 400, code: "bad_request", says: /'limits'/ },
  { name: "malformed JSON", body: '{\n "yaml": x}', status: 400, code: "bad_json", says: /line 2, column 10/ },
  { name: "JSON cut off", body: '{"yaml":"x"', status: 400, code: "bad_json", says: /missing/ },
  {
    name: "a string without end",
    body: '{"yaml":"x\\"',
    status: 400,
    code: "bad_json",
    says: /line 1, column 9 has no end/,
  },
  { name: "NDJSON", body: '{"yaml":"x"}\n{"yaml":"y"}', status: 400, code: "bad_json" },
  { name: "a comment", body: '{"yaml":"x"} // y', status: 400, code: "bad_json" },
  { name: "a byte order mark", body: '\ufeff{"yaml":"x"}', status: 400, code: "bad_json", says: /byte order mark/ },
  { name: "UTF-16", body: Buffer.from('{"yaml":"x"}', "utf16le"), status: 400, code: "bad_json" },
  {
    name: "bytes that are not UTF-8",
    body: Buffer.from('{"yaml":"\xff"}', "latin1"),
    status: 400,
    code: "bad_request",
  },
  { name: "a name twice", body: '{"yaml":"x","yaml":"y"}', status: 400, code: "bad_json", says: /twice/ },
  { name: "a name twice, once escaped", body: '{"yaml":"x","y\\u0061ml":"y"}', status: 400, code: "bad_json" },
  { name: "depth 300", body: nested(300), status: 400, code: "bad_json", says: /256/ },
  { name: "depth 256, but not flat", body: nested(255), status: 400, code: "bad_request" },
  { name: "no content type", body: '{"yaml":"x"}', type: "", status: 415, code: "unsupported_media_type" },
  {
    name: "text",
    body: "x",
    type: "text/plain",
    status: 415,
    code: "unsupported_media_type",
    says: /application\/json/,
  },
  {
    name: "a form",
    body: "yaml=x",
    type: "application/x-www-form-urlencoded",
    status: 415,
    code: "unsupported_media_type",
  },
  { name: "no media type at all", body: "x", type: "json", status: 415, code: "unsupported_media_type" },
  {
    name: "charset utf-7",
    body: "{}",
    type: "application/json; charset=utf-7",
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "charset of YAML",
    body: "x",
    type: "application/yaml; charset=latin1",
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "gzip",
    body: gzipSync('{"yaml":"x"}'),
    headers: { "Content-Encoding": "gzip" },
    status: 415,
    code: "unsupported_media_type",
  },
  { name: "more than the management limit", body: `{"x":"${"x".repeat(4000)}"}`, status: 413, code: "body_too_large" },
  {
    name: "more YAML than a flow may have",
    body: `{"yaml":"${"é".repeat(1001)}"}`,
    status: 413,
    code: "body_too_large",
  },
  { name: "the same as YAML", body: "é".repeat(1001), type: "application/yaml", status: 413, code: "body_too_large" },
];

describe("the body of a PUT", () => {
  for (const { name, body, type = "application/json", headers = {}, status, code, says } of cases) {
    for (const path of ["/_api/flows/orders", "/_api/flows/orders/validate"]) {
      const method = path.endsWith("validate") ? "POST" : "PUT";
      it(`${status}: ${name} (${method})`, async (t) => {
        const { url, calls } = await openApi(t);
        const response = await fetch(url + path, {
          method,
          headers: { Authorization: `Bearer ${token}`, ...(type !== "" && { "Content-Type": type }), ...headers },
          // A string body brings a content type of its own; bytes do not.
          ...(body !== undefined && { body: typeof body === "string" ? Buffer.from(body) : Buffer.from(body) }),
        });
        const message = await assertError(response, status, code);
        if (says !== undefined) assert.match(message, says);
        assert.deepEqual(calls, []);
      });
    }
  }

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

  it("413 for a declared length before anything is read, also instead of 100 Continue", async (t) => {
    const { port } = await openApi(t);
    const text = await exchangeRaw(port, head("Content-Length: 5000", "Expect: 100-continue"), "\r\n");
    assert.equal(parseAnswer(text).status, 413);
    assert.equal(parseAnswer(text).headers.connection, "close");
  });

  it("415 instead of 100 Continue", async (t) => {
    const { port } = await openApi(t);
    const text = head("Content-Length: 5", "Expect: 100-continue").replace("json", "xml");
    assert.equal(parseAnswer(await exchangeRaw(port, text, "\r\n")).status, 415);
  });

  it("100 Continue, then the answer", async (t) => {
    const { port } = await openApi(t);
    const text = head("Content-Length: 12", "Expect: 100-continue", "Connection: close");
    const answer = await exchangeRaw(port, text, '\r\n{"yaml":"x"}');
    assert.match(answer, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  it("413 for chunks that add up; the rest is dropped and the connection serves on", async (t) => {
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

  it("chunks are read", async (t) => {
    const { port } = await openApi(t);
    const text = head("Transfer-Encoding: chunked", "Connection: close");
    const answer = await exchangeRaw(port, text, '\r\n5\r\n{"yam\r\n7\r\nl":"x"}\r\n0\r\n\r\n');
    assert.equal(parseAnswer(answer).status, 200);
  });
});
