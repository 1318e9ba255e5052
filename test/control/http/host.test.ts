/** The Host header: RFC 9112 3.2 has a request with none, with several, or with one of bad syntax answered 400. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openDoor, token } from "./door.ts";
import { exchangeRaw, parseAnswer } from "./raw.ts";

const good = [
  "",
  "a",
  "localhost:8080",
  "a:",
  "A.example.:80",
  "127.0.0.1",
  "[::1]",
  "[::1]:80",
  "[v1.a:b]",
  "%41",
  "a_b",
  "-",
];
const bad = [
  "a b",
  "a/b",
  "a@b",
  "u:p@b",
  "http://a",
  "a:b",
  "a:80:80",
  "::1",
  "[::1",
  "[::1]x",
  "[1]",
  "[]",
  "[::1%25eth0]",
  "%4",
  "a?b",
];
const worse = ["a#b", "a\\b", "a<b", '"a"', "a\tb", "a, b", "ä", "a:-1", "[fe80::1%eth0]", "[v.a]"];

async function ask(port: number, request: string): Promise<string> {
  const { status, headers } = parseAnswer(await exchangeRaw(port, request));
  return `${status} ${headers["x-error-code"] ?? ""}`.trim();
}

/** On every path: open ones, the management API's, and those of flows. */
const lines = (version: string): string[] =>
  ["/_api/health", "/_api/flows", "/api/x", "/x"].map((path) => `GET ${path} HTTP/${version}`);
const rest = `Connection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`;

describe("a request's Host", () => {
  it("is a name, an address or nothing, with an optional port", async (t) => {
    const { port } = await openDoor(t);
    for (const host of good) {
      for (const line of lines("1.1")) {
        assert.equal(await ask(port, `${line}\r\nHost: ${host}\r\n${rest}`), "200", `${host} in ${line}`);
      }
    }
  });

  it("of another form is refused, in HTTP/1.0 too, and nothing behind the door sees it", async (t) => {
    const { port, seen } = await openDoor(t);
    for (const host of [...bad, ...worse]) {
      for (const line of [...lines("1.1"), ...lines("1.0")]) {
        assert.equal(await ask(port, `${line}\r\nHost: ${host}\r\n${rest}`), "400 bad_request", `${host} in ${line}`);
      }
    }
    assert.deepEqual(seen, []);
  });

  it("that is missing or repeated is refused in HTTP/1.1; HTTP/1.0 needs none", async (t) => {
    const { port } = await openDoor(t);
    for (const line of lines("1.1")) {
      assert.equal(await ask(port, `${line}\r\n${rest}`), "400 bad_request");
      assert.equal(await ask(port, `${line}\r\nHost: a\r\nhost: a\r\n${rest}`), "400 bad_request");
    }
    for (const line of lines("1.0")) {
      assert.equal(await ask(port, `${line}\r\n${rest}`), "200");
      assert.equal(await ask(port, `${line}\r\nHost: a\r\nHOST: a\r\n${rest}`), "400 bad_request");
    }
  });

  it("with a character that no host has is refused wherever it stands, after good ones as well", async (t) => {
    const { port } = await openDoor(t);
    const foreign = fc.constantFrom(...' /?#@\\<>"`{}|^');
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z.]{1,5}$/),
        foreign,
        fc.stringMatching(/^[a-z.]{1,5}$/),
        async (a, c, b) => {
          assert.equal(await ask(port, `GET /x HTTP/1.1\r\nHost: ${a + b}\r\n${rest}`), "200");
          assert.equal(await ask(port, `GET /x HTTP/1.1\r\nHost: ${a + c + b}\r\n${rest}`), "400 bad_request");
        },
      ),
      { numRuns: 60 },
    );
  });
});
