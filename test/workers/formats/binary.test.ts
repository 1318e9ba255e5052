/** The data formats `base64`, `gzipDeflater` and `zipDeflater`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import { asText } from "../../../src/workers/engine/convert.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { failureOf, marshalled, outcomeOf, refusalOf, unmarshalled } from "./translate.ts";

const bytesOf = async (format: string, body: unknown): Promise<Uint8Array> =>
  (await outcomeOf(`- marshal: {${format}}`, body)).exchange.message.body as Uint8Array;

test("base64 is written in lines of 76 characters that end with CRLF", async () => {
  assert.equal(await marshalled("base64: {}", "hi"), "aGk=\r\n");
  assert.equal(await marshalled("base64: {}", ""), "");
  const encoded = "eHh4".repeat(20);
  assert.equal(await marshalled("base64: {}", "x".repeat(60)), `${encoded.slice(0, 76)}\r\n${encoded.slice(76)}\r\n`);
  assert.equal(await marshalled("base64: {lineLength: 0}", "x".repeat(60)), encoded);
  const ten = 'base64: {lineLength: 10, lineSeparator: "\\n"}';
  assert.equal(await marshalled(ten, "x".repeat(20)), "eHh4eHh4\neHh4eHh4\neHh4eHh4\neHg=\n");
  assert.equal(await marshalled("base64: {urlSafe: true}", "??>>x"), "Pz8-Png\r\n");
});

test("base64 is read in both alphabets, up to the first =, other characters skipped", async () => {
  for (const text of ["aGk=", "aGk", "aG k=\r\n", "aGk=aGk="]) {
    assert.deepEqual(await unmarshalled("base64: {}", text), new Uint8Array([104, 105]), text);
  }
  assert.deepEqual(await unmarshalled("base64: {}", "_-8="), new Uint8Array([255, 239]));
  assert.deepEqual(await unmarshalled("base64: {}", "!!!!"), new Uint8Array([]));
});

test("what is packed is what zlib knows, and comes back", async () => {
  assert.equal(gunzipSync(await bytesOf("gzipDeflater: {}", "hello")).toString(), "hello");
  assert.equal(inflateSync(await bytesOf("zipDeflater: {compressionLevel: 9}", "hello")).toString(), "hello");
  assert.equal((await bytesOf("zipDeflater: {compressionLevel: 0}", "x".repeat(1000))).length > 1000, true);
  assert.equal(asText(await unmarshalled("gzipDeflater: {}", gzipSync("hello"))), "hello");
  assert.equal(asText(await unmarshalled("zipDeflater: {}", deflateSync("hello"))), "hello");
  const json = new JsonText('{"a": 1}', { a: 1 });
  assert.equal(gunzipSync(await bytesOf("gzipDeflater: {}", json)).toString(), '{"a": 1}');
});

test("names of old Camel versions stand for the same", async () => {
  const { exchange } = await outcomeOf("- marshal: {gzip: {}}\n- unmarshal: {gzip: }\n- marshal: {zip: {}}", "hi");
  assert.equal(inflateSync(exchange.message.body as Uint8Array).toString(), "hi");
});

test("a bomb is not unpacked, into a variable neither", async () => {
  const limits = { messageBodyBytes: 10_000 };
  const bomb = "x".repeat(10_001);
  for (const [format, packed] of [
    ["gzipDeflater", gzipSync(bomb)],
    ["zipDeflater", deflateSync(bomb)],
  ] as const) {
    const failure = await failureOf(`- unmarshal: {${format}: {}, variableReceive: v}`, packed, { limits });
    assert.match(failure, /^LimitExceededException: /, format);
  }
});

test("what was not packed fails with Java's exceptions", async () => {
  assert.match(await failureOf("- unmarshal: {gzipDeflater: {}}", "hi"), /^java\.io\.IOException: /);
  assert.match(
    await failureOf("- unmarshal: {zipDeflater: {}}", "hi"),
    /^java\.util\.zip\.ZipException: incorrect header check/,
  );
});

test("only text and bytes can be packed", async () => {
  for (const format of ["base64", "gzipDeflater", "zipDeflater"]) {
    for (const [body, type] of [
      [null, "null"],
      [12, "java.lang.Integer"],
      [{ a: 1 }, "java.util.LinkedHashMap"],
    ] as const) {
      const message = `No type converter available to convert from type: ${type} to the required type: java.io.InputStream`;
      const failure = await failureOf(`- marshal: {${format}: {}}`, body);
      assert.equal(failure, `org.apache.camel.NoTypeConversionAvailableException: ${message}`);
    }
  }
});

test("text is packed and read in the exchange's character set", async () => {
  const latin = { properties: { CamelCharsetName: "ISO-8859-1" } };
  assert.equal(await marshalled("base64: {lineLength: 0}", "\u00e4", latin), "5A==");
  assert.deepEqual(await unmarshalled("csv: {}", new Uint8Array([0xe4]), latin), [["\u00e4"]]);
  const unknown = await failureOf("- unmarshal: {csv: {}}", new Uint8Array([65]), {
    properties: { CamelCharsetName: "x" },
  });
  assert.equal(unknown, "java.nio.charset.UnsupportedCharsetException: x");
});

test("levels and separators that cannot be are refused", async () => {
  assert.match(
    await refusalOf("- marshal: {zipDeflater: {compressionLevel: 10}}"),
    /'compressionLevel' of data format 'zipDeflater' is one of/,
  );
  assert.match(
    await refusalOf("- marshal: {base64: {lineSeparator: a}}"),
    /lineSeparator has characters of the Base64 alphabet/,
  );
});
