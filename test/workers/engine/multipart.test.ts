/** Bodies of MIME parts and the fields of their heads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  decodedContent,
  encodedWords,
  MultipartError,
  parseField,
  readParts,
} from "../../../src/workers/engine/multipart.ts";

const bounds = { parts: 100, headBytes: 1000 };
const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

test("any contents without the boundary come back, whatever stands around them", () => {
  const content = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(
      fc.array(content, { maxLength: 5 }),
      fc.constantFrom("\r\n", "\n"),
      fc.string(),
      (parts, line, around) => {
        const boundary = "b0undary";
        fc.pre(![...parts, Buffer.from(around)].some((one) => Buffer.from(one).includes(boundary)));
        const pieces = parts.flatMap((part) => [
          Buffer.from(`--${boundary}${line}X: y${line}${line}`),
          part,
          Buffer.from(line),
        ]);
        const body = Buffer.concat([
          Buffer.from(`${around}${line}`),
          ...pieces,
          Buffer.from(`--${boundary}--${line}${around}`),
        ]);
        const read = readParts(body, boundary, bounds);
        assert.deepEqual(
          read.map(({ content }) => [...content]),
          // A line break before the boundary belongs to it, so the sender's own "\r" before "\n" does, too.
          parts.map((part) => (line === "\n" && part.at(-1) === 13 ? [...part.slice(0, -1)] : [...part])),
        );
      },
    ),
  );
});

test("no bytes make it do anything but answer or refuse", () => {
  const piece = fc.constantFrom("--b", "--", "\r\n", "\n", "X: y", ":", " ", "--b--", "\0", "é");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        for (const { content } of readParts(bytes(pieces.join("")), "b", bounds)) assert.ok(content.length < 200);
      } catch (error) {
        assert.ok(error instanceof MultipartError, String(error));
      }
    }),
  );
});

test("fields: quotes, escapes, character sets and encoded words", () => {
  const rows: readonly (readonly [text: string, name: string, value: string])[] = [
    ['form-data; name="a b"; filename="x;y.txt"', "filename", "x;y.txt"],
    ['form-data; name="a\\"b"', "name", 'a"b'],
    ['form-data; filename="C:\\dir\\x.txt"', "filename", "C:\\dir\\x.txt"],
    ["form-data; filename=x.txt; filename*=UTF-8''%C3%BC.txt", "filename", "ü.txt"],
    ["form-data; filename*=ISO-8859-1'de'%FC.txt", "filename", "ü.txt"],
    ['attachment; filename="=?UTF-8?B?w7wudHh0?="', "filename", "ü.txt"],
    ["multipart/mixed; Boundary=abc", "boundary", "abc"],
  ];
  for (const [text, name, value] of rows) assert.equal(parseField(text).parameters.get(name), value, text);
  assert.equal(encodedWords("=?ISO-8859-1?Q?a_=FC?= =?utf-8?q?b?="), "a üb");
  assert.equal(encodedWords("=?nope?Q?a?="), "=?nope?Q?a?=");
});

test("transfer encodings", () => {
  const text = (content: string, encoding?: string): string =>
    Buffer.from(decodedContent(bytes(content), encoding)).toString("latin1");
  assert.equal(
    text("YQ==\r\nYg==".replace("==\r\n", ""), "BASE64"),
    Buffer.from("YQYg==", "base64").toString("latin1"),
  );
  assert.equal(text("a=\r\nb=3D=41 \r\nc %41", "quoted-printable"), "ab=A\r\nc %41");
  assert.equal(text("a=41", "8bit"), "a=41");
  assert.equal(text("a"), "a");
});
