/** Bodies of 10 MiB, each the worst of its kind. The first call makes the text, the second the body as a thread gets it. */
import { deflateSync, gzipSync } from "node:zlib";
import { JsonText } from "../../../../src/workers/engine/message.ts";
import { parseJson } from "../../../../src/workers/engine/parse-json.ts";

const size = 10 * 1024 * 1024 - 16;

type Made = () => unknown;

function text(piece: string, head = "", tail = ""): () => Made {
  return () => {
    const whole = Buffer.from(
      head + piece.repeat(Math.floor((size - head.length - tail.length) / piece.length)) + tail,
    );
    return () => whole.toString();
  };
}

function json(piece: string, head = "[", tail = "]"): () => Made {
  return () => {
    const made = text(piece, head, tail)();
    return () => {
      const whole = made() as string;
      return new JsonText(whole, parseJson(whole));
    };
  };
}

export const bodies: Readonly<Record<string, () => Made>> = {
  nothing: () => () => "1",
  "text of x": text("x"),
  "text of two-byte letters": text("é"),
  "text of letters and commas": text("a,"),
  "text of commas": text(","),
  "text of lines": text("ab\n"),
  "text of words": text("hello world "),
  "text of quotes": text('"'),
  "text of brackets": text("["),
  "JSON of numbers": json("1,", "[", "1]"),
  "JSON of decimals": json("1.5,", "[", "1]"),
  "JSON of texts": json('"a",', "[", "1]"),
  "JSON of empty objects": json("{},", "[", "1]"),
  "JSON of small objects": json('{"a":1},', "[", "1]"),
  "JSON of empty lists": json("[],", "[", "1]"),
  "JSON of lists of one": json("[1],", "[", "1]"),
  "JSON of records": json('{"id":123,"name":"a name","price":1.25},', "[", "1]"),
  "JSON of one long text": json("x", '["', '"]'),
  "JSON of one text of commas": json(",", '["', '"]'),
  "JSON of one text of two-byte letters": json("é", '["', '"]'),
  "JSON of different keys": () => {
    let whole = "";
    for (let n = 0; whole.length < size - 20; n++) whole += `"k${n}":1,`;
    whole = `{${whole}"z":1}`;
    return () => new JsonText(whole, parseJson(whole));
  },
  "JSON of nested lists": () => {
    const whole = `[${`${"[".repeat(400)}${"]".repeat(400)},`.repeat(Math.floor(size / 801))}1]`;
    return () => new JsonText(whole, parseJson(whole));
  },
  "JSON of shuffled numbers": () => {
    const numbers: number[] = [];
    let seed = 1;
    for (let n = 0; n < size / 8; n++) numbers.push((seed = (seed * 48271) % 2147483647) % 10_000_000);
    const whole = JSON.stringify(numbers).slice(0, size - 10);
    const cut = `${whole.slice(0, whole.lastIndexOf(","))}]`;
    return () => new JsonText(cut, parseJson(cut));
  },
  "JSON text of small objects": text('{"a":1},', "[", "1]"),
  "JSON text of numbers": text("1,", "[", "1]"),
  "XML of elements": text("<a/>", "<r>", "</r>"),
  "XML of texts": text("<a>1</a>", "<r>", "</r>"),
  "XML of attributes": () => {
    let whole = "";
    for (let n = 0; whole.length < size - 30; n++) whole += ` a${n}="1"`;
    whole = `<r${whole}/>`;
    return () => whole;
  },
  "XML of one text": text("x", "<r>", "</r>"),
  "CSV of cells": text("a,b,c\n"),
  "YAML of a list": text("- a\n"),
  "YAML in flow": text("a,", "[", "a]"),
  "gzip of zeros": () => {
    const whole = gzipSync(Buffer.alloc(1024 * 1024 * 1024));
    return () => new Uint8Array(whole);
  },
  "deflated zeros": () => {
    const whole = deflateSync(Buffer.alloc(512 * 1024 * 1024));
    return () => new Uint8Array(whole);
  },
  bytes: () => {
    const whole = new Uint8Array(size).fill(0xe9);
    return () => new Uint8Array(whole);
  },
};
