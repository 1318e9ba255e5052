/** The values of secrets are found in text in whatever form they are written, and other text stays as it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maskMargin, noMask, secretMask } from "../../../src/shared/secret-mask.ts";

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const ascii = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^\0-~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const padded = (text: string, length: number): string => "x".repeat(length) + text;

/** Ways in which a value may leave a flow. */
const carriers: readonly ((value: string) => string)[] = [
  (v) => v,
  (v) => `a ${v}, b`,
  (v) => v + v,
  (v) => JSON.stringify({ a: [{ b: v }] }),
  (v) => JSON.stringify({ inner: JSON.stringify({ v }) }),
  ascii,
  (v) => `https://a.example/?q=${encodeURIComponent(v)}&x=1`,
  (v) => `a=${encodeURIComponent(v).toLowerCase()}`,
  (v) => encodeURIComponent(encodeURIComponent(v)),
  (v) => new URLSearchParams({ a: v }).toString(),
  (v) => encodeURIComponent(JSON.stringify({ v })),
  (v) => JSON.stringify({ url: `https://a.example/?q=${encodeURIComponent(v)}` }),
  (v) => `<a b="${xml(v)}">${xml(v)}</a>`,
  (v) => JSON.stringify({ xml: `<a>${xml(v)}</a>` }),
  (v) => xml(JSON.stringify({ v })),
  (v) => [...v].map((c) => `&#${c.codePointAt(0)};`).join(""),
  (v) => Buffer.from(v).toString("hex"),
  (v) => Buffer.from(v).toString("hex").toUpperCase(),
  ...[0, 1, 2, 3].map((length) => (v: string) => base64(padded(v, length))),
  ...[0, 1, 2].map((length) => (v: string) => Buffer.from(padded(v, length)).toString("base64url")),
  (v) => base64(JSON.stringify({ user: "a", password: v })),
  (v) => encodeURIComponent(base64(`user:${v}`)),
  (v) => JSON.stringify({ auth: `Basic ${base64(`user:${v}`)}` }),
];

/** What a reader of the text could find in it by undoing one or two layers. */
function readings(text: string): string[] {
  const undo = (t: string): string[] => {
    const found = [t, t.replaceAll("+", " ")];
    for (const word of t.match(/[A-Za-z0-9+/_-]{4,}={0,2}/g) ?? []) {
      found.push(Buffer.from(word, "base64").toString(), Buffer.from(word, "base64url").toString());
      if (/^(?:[0-9a-f]{2})+$/i.test(word)) found.push(Buffer.from(word, "hex").toString());
    }
    for (const read of [decodeURIComponent, (v: string) => decodeURIComponent(v.replaceAll("+", " "))]) {
      try {
        found.push(read(t));
      } catch {
        // Nothing that is encoded so.
      }
    }
    found.push(
      t.replaceAll(/\\u([0-9a-f]{4})|\\(.)/gi, (_, hex: string | undefined, c: string) =>
        hex === undefined
          ? ({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }[c] ?? c)
          : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
      t
        .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&"),
    );
    return found;
  };
  return undo(text).flatMap((once) => [once, ...undo(once)]);
}

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."abcXYZ019%&<>\"'\\/+=?#. \n\r\t{}[]()$^*|~`:;@!-_,"),
    fc.constantFrom("ä", "ß", "€", "漢", "😀", "\u0000", "\u007f"),
  ),
  minLength: 4,
  maxLength: 60,
});
/** Values that are in the carriers anyway show nothing. */
const values = fc
  .oneof(
    nasty,
    fc.string({ minLength: 8, maxLength: 40 }),
    fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }),
  )
  .map((text) => text.toWellFormed())
  .filter((text) => text.length >= 4 && !/\uFDD0|\uFDD1|\*\*\*|\ufffd/.test(text))
  .filter((text) => !carriers.some((carry) => readings(carry("~~~~")).some((reading) => reading.includes(text))));

test("no value survives, in whatever form it is written", () => {
  fc.assert(
    fc.property(values, fc.constantFrom(...carriers), (value, carry) => {
      const shown = secretMask([value, "another-secret"])(carry(value));
      const found = readings(shown).find((reading) => reading.includes(value));
      assert.equal(found, undefined, `${JSON.stringify(value)} is in ${JSON.stringify(shown)}`);
    }),
    { numRuns: 2000, endOnFailure: true },
  );
});

test("a cut shows no part of a value of which the whole is hidden", () => {
  fc.assert(
    fc.property(
      fc.nat(200),
      fc.integer({ min: 12, max: 100 }),
      fc.integer({ min: 1, max: 300 }),
      (before, length, most) => {
        const value = Array.from({ length }, (_, i) => String.fromCharCode(0x4e00 + i)).join("");
        const text = `${".".repeat(before)}${value}${".".repeat(200)}`;
        const shown = secretMask([value])(text, most);
        assert.match(shown, /^\.*(?:\*\*\*)?\.*$/);
        assert.ok(most > before ? shown.includes("***") : shown.length === most, shown);
      },
    ),
  );
  // Cut by somebody else, in the middle: its first half is as much as the whole.
  const value = "abcdefghijklmnopqrstuvwxyz0123456789";
  assert.equal(secretMask([value])(`'${value.slice(0, 20)}...'`), "'***...'");
});

test("values that overlap, or that are parts of each other, are hidden whole", () => {
  const hide = secretMask(["abcd1234", "1234xyzw", "abcd1234efgh-long"]);
  assert.equal(hide("<abcd1234xyzw>"), "<***>");
  assert.equal(hide("<abcd1234efgh-long>"), "<***>");
  assert.equal(hide("<abcd1234 1234xyzw>"), "<*** ***>");
  assert.equal(secretMask(["abcdefgh", "cdefghij"])("<abcdefghij>"), "<***>");
});

test("text without secrets stays as it is, and so does all text of flows without secrets", () => {
  const hide = secretMask(["hunter2-hunter2"]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      fc.pre(!text.includes("\uFDD0"));
      assert.equal(hide(text), text);
    }),
  );
  assert.equal(secretMask([]), noMask);
  assert.equal(secretMask(["abc"]), noMask, "a value of three characters would be found everywhere");
  assert.equal(noMask("abcdef", 3), "abc");
});

test("each line of a key in PEM is a secret of its own", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  const hide = secretMask([`-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`]);
  assert.equal(hide(`read ${line} of it`), "read *** of it");
});

test("an address is hidden as the parser of URLs writes it, and so are its path, its query and its password", () => {
  const hook = secretMask(["https://U:p%40ss-W0rd@Hooks.Example:443/services/T00A/xyzSecret?sig=ABCDEFGH"]);
  assert.equal(
    hook("invoking https://U:p%40ss-W0rd@hooks.example/services/T00A/xyzSecret?sig=ABCDEFGH with"),
    "invoking *** with",
  );
  assert.equal(hook("no /services/T00A/xyzSecret?sig=ABCDEFGH at hooks.example"), "no *** at hooks.example");
  assert.equal(hook("sig=ABCDEFGH and p@ss-W0rd"), "*** and ***");
  assert.equal(secretMask(["My-Tenant.Example:8443"])("my-tenant.example is not known"), "*** is not known");
  assert.equal(secretMask(["data/A1b2C3d4E5f6"])("data of /api"), "data of /api", "a part that is found everywhere");
  assert.equal(secretMask(["Bücher-Tenant.example"])("at xn--bcher-tenant-dlb.example"), "at ***");
});

test("text that has no more of a value than its first characters stays as it is, and so does not tell them", () => {
  const hide = secretMask(["http-secret-of-a-flow"]);
  assert.equal(hide("see http://a.example and http.base"), "see http://a.example and http.base");
  assert.equal(hide("http http-secret-of-a-flow http"), "http *** http");
});

test("the names of secrets that texts of the model hold are shown as they were written", () => {
  assert.equal(
    secretMask(["hunter22"])("${properties:\uFDD0KEY\uFDD1} \uFDD0KEY\uFDD1"),
    "{{secret:KEY}} {{secret:KEY}}",
  );
});

test("the work grows with the text, for texts that nearly hold a value too", () => {
  const most = 2 ** 16;
  for (const value of [
    "a".repeat(most),
    `${"a".repeat(most)}b`,
    `${"ab".repeat(most / 2)}c`,
    "%41".repeat(1000),
    "\\".repeat(1000),
  ]) {
    const hide = secretMask([value]);
    for (const text of ["a".repeat(4 * most), "ab".repeat(2 * most), "%2561".repeat(most / 4), "\\\\".repeat(most)]) {
      assert.ok(hide(text).length <= text.length + maskMargin);
    }
  }
});
