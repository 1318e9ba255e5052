/** Character sets over HTTP: how bytes that came are read, and what the bytes that leave are said to be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodings, euro, singleByte, utf8, utf16, words } from "../support/encodings.ts";
import { startHttpServer } from "../support/http-server.ts";
import { httpRoute, says, withFlow } from "../support/platform-http.ts";

const hello = says("Hello ${body}");
const routes = [
  httpRoute("text", "/text", hello),
  httpRoute("echo", "/echo", "log: seen"),
  httpRoute("bytes", "/bytes", "convertBodyTo: { type: 'byte[]', charset: iso-8859-1 }"),
  httpRoute("csv", "/csv", "unmarshal: { csv: {} }", says("Hello ${body[0][0]}")),
  httpRoute("csv-csv", "/csv-csv", "unmarshal: { csv: {} }", "marshal: { csv: {} }"),
  httpRoute("csv-json", "/csv-json", "unmarshal: { csv: {} }", "marshal: { json: {} }", hello),
  httpRoute("xml", "/xml", "unmarshal: { jacksonXml: {} }", says("Hello ${body[b]}")),
  httpRoute("xpath", "/xpath", "setBody: { xpath: { expression: '/a/b/text()', resultType: String } }", hello),
  httpRoute("json", "/json", "unmarshal: { json: {} }", says("Hello ${body[a]}")),
  httpRoute("jsonpath", "/jsonpath", "setBody: { jsonpath: '$.a' }", hello),
  httpRoute("jq", "/jq", "setBody: { jq: '.a' }", hello),
  httpRoute("jsonata", "/jsonata", "setBody: { jsonata: 'a' }", hello),
  httpRoute("js", "/js", "setBody: { js: 'body' }", hello),
  httpRoute("tokens", "/tokens", "setBody: { tokenize: ',' }", says("Hello ${body[0]}")),
  httpRoute(
    "choice",
    "/choice",
    "setHeader: { name: word, simple: '${bodyAs(String)}' }",
    "choice: { when: [{ simple: '${body} == ${header.word}', steps: [{ setBody: { simple: 'Hello ${header.word}' } }] }] }",
  ),
].join("");

/** Paths, with the document for a word in an encoding. */
const readers: readonly (readonly [path: string, type: string, document: (word: string, name: string) => string])[] = [
  ["/text", "text/plain", (word) => word],
  ["/choice", "text/plain", (word) => word],
  ["/js", "text/plain", (word) => word],
  ["/tokens", "text/plain", (word) => `${word},b`],
  ["/csv", "text/csv", (word) => `${word},1\r\n`],
  ["/xml", "application/xml", (word) => `<a><b>${word}</b></a>`],
  ["/xpath", "application/xml", (word) => `<a><b>${word}</b></a>`],
  ["/xpath", "application/xml", (word, name) => `<?xml version="1.0" encoding="${name}"?><a><b>${word}</b></a>`],
  ["/json", "application/json", (word) => JSON.stringify({ a: word })],
  ["/jsonpath", "application/json", (word) => JSON.stringify({ a: word })],
  ["/jq", "application/json", (word) => JSON.stringify({ a: word })],
  ["/jsonata", "application/json", (word) => JSON.stringify({ a: word })],
];

test("text, documents and comparisons read the body in the character set that its Content-Type names", async (t) => {
  const app = await withFlow(t, routes);
  for (const encoding of encodings) {
    for (const [path, type, document] of readers) {
      const check = async (word: string): Promise<void> => {
        const answer = await app.sendBytes(
          path,
          encoding.encode(document(word, encoding.name)),
          `${type}; charset=${encoding.name}`,
        );
        assert.equal(await answer.text(), `Hello ${word}`, `${path} ${encoding.name}`);
        assert.equal(answer.status, 200);
        const said = answer.headers.get("content-type") ?? "";
        const ascii = !/[^\0-\x7f]/.test(word);
        if (!ascii) assert.match(said, /charset=utf-8$/i);
      };
      await fc.assert(fc.asyncProperty(words(encoding.characters), check), { numRuns: 4 });
    }
  }
});

test("XML is read by its mark or its declaration, and JSON by its mark, whatever the Content-Type says", async (t) => {
  const app = await withFlow(t, routes);
  const text = async (path: string, bytes: Uint8Array, type: string): Promise<string> =>
    (await app.sendBytes(path, bytes, type)).text();
  for (const encoding of encodings) {
    const xml = encoding.encode(`<?xml version="1.0" encoding="${encoding.name}"?><a><b>ä</b></a>`);
    for (const type of ["application/xml", "application/xml; charset=us-ascii"])
      assert.equal(await text("/xml", xml, type), "Hello ä", `${encoding.name} ${type}`);
  }
  for (const encoding of [utf16("utf-16", false, true), utf16("utf-16", true, true), utf8("\ufeff")]) {
    assert.equal(await text("/xml", encoding.encode("<a><b>ä</b></a>"), "application/xml"), "Hello ä", encoding.name);
    for (const path of ["/json", "/jsonpath", "/jq"])
      assert.equal(
        await text(path, encoding.encode('{"a":"ä"}'), "application/json"),
        "Hello ä",
        `${path} ${encoding.name}`,
      );
  }
});

test("JSON and XML that are neither UTF-8 nor say what they are fail, and are not read with other characters", async (t) => {
  const app = await withFlow(t, routes);
  for (const path of ["/json", "/jsonpath", "/jq", "/jsonata"]) {
    const answer = await app.sendBytes(path, Buffer.from('{"a":"\xeb"}', "latin1"), "application/json");
    assert.equal(answer.status, 500, path);
  }
  for (const path of ["/xml", "/xpath"]) {
    const answer = await app.sendBytes(path, Buffer.from("<a><b>\xeb</b></a>", "latin1"), "application/xml");
    assert.equal(answer.status, 500, path);
  }
});

test("bytes that no step reads as text leave as they came, with the type that they came with", async (t) => {
  const app = await withFlow(t, routes);
  for (const encoding of [...encodings, utf8("\ufeff")]) {
    const type = `text/plain; charset=${encoding.name}`;
    for (const path of ["/echo", "/bytes"]) {
      const bytes = encoding.encode("Zoë");
      const answer = await app.sendBytes(path, bytes, type);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(bytes), `${path} ${encoding.name}`);
      assert.equal(answer.headers.get("content-type"), type);
    }
  }
});

test("csv is written in the message's character set, JSON always in UTF-8, and what follows reads it so", async (t) => {
  const app = await withFlow(t, routes);
  const type = "text/csv; charset=iso-8859-15";
  const bytes = singleByte("iso-8859-15", euro).encode("€,1\r\n");
  const csv = await app.sendBytes("/csv-csv", bytes, type);
  assert.deepEqual(Buffer.from(await csv.arrayBuffer()), Buffer.from(bytes));
  const json = await app.sendBytes("/csv-json", bytes, type);
  assert.equal(await json.text(), 'Hello [["€","1"]]');
});

test("a webhook reads JSON in UTF-16 and in the character set of its type, and refuses what is neither", async (t) => {
  const app = await withFlow(t, `- from:\n    uri: webhook\n    steps:\n      - ${says("Hello ${body[a]}")}\n`);
  const call = (bytes: Uint8Array, type: string): Promise<Response> => app.sendBytes("/api/route1", bytes, type);
  const utf16le = utf16("utf-16", true, true).encode('{"a":"ä"}');
  assert.equal(await (await call(utf16le, "application/json")).text(), "Hello ä");
  const latin1 = Buffer.from('{"a":"\xe4"}', "latin1");
  assert.equal(await (await call(latin1, "application/json; charset=iso-8859-1")).text(), "Hello ä");
  assert.equal((await call(latin1, "application/json")).status, 400);
  assert.equal((await call(latin1, "application/json; charset=nonsense")).status, 400);
});

test("an http producer sends text in the set of its Content-Type, and says UTF-8 where that set lacks a character", async (t) => {
  const server = await startHttpServer(t, (_, response) => response.end());
  const app = await withFlow(
    t,
    httpRoute(
      "out",
      "/out",
      "removeHeaders: '*'",
      "setHeader: { name: Content-Type, constant: 'text/plain; charset=windows-1252' }",
      `to: "${server.url}/x"`,
    ),
    { egressAllow: server.host },
  );
  for (const [text, type, bytes] of [
    ["€", "text/plain; charset=windows-1252", Buffer.from([0x80])],
    ["中", "text/plain; charset=UTF-8", Buffer.from("中")],
  ] as const) {
    const answer = await app.sendBytes("/out", Buffer.from(text), "text/plain; charset=utf-8");
    assert.equal(answer.status, 200, await answer.text());
    const { headers, bytes: sent } = server.heard.pop() ?? assert.fail("nothing was sent");
    assert.deepEqual([headers["content-type"], sent], [type, bytes]);
  }
});
