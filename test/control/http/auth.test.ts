import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createAuthenticator } from "../../../src/control/http/auth.ts";
import { openDoor, sha256, token } from "./door.ts";
import { requestRaw } from "./raw.ts";

const utf8Token = Buffer.from("pässwörd", "utf8").toString("latin1");

interface Case {
  readonly name: string;
  readonly headers: readonly string[];
  readonly path?: string;
  readonly status: number;
}

const cases: readonly Case[] = [
  { name: "the right token", headers: [`Authorization: Bearer ${token}`], status: 200 },
  { name: "the scheme in lower case", headers: [`authorization: bearer ${token}`], status: 200 },
  { name: "the scheme in capitals", headers: [`AUTHORIZATION: BEARER ${token}`], status: 200 },
  {
    name: "a blank after the token, which is no part of the value",
    headers: [`Authorization: Bearer ${token} `],
    status: 200,
  },
  { name: "no header", headers: [], status: 401 },
  { name: "an empty header", headers: ["Authorization:"], status: 401 },
  { name: "the scheme alone", headers: ["Authorization: Bearer"], status: 401 },
  { name: "the scheme and a blank", headers: ["Authorization: Bearer "], status: 401 },
  { name: "two blanks", headers: [`Authorization: Bearer  ${token}`], status: 401 },
  { name: "the token without a scheme", headers: [`Authorization: ${token}`], status: 401 },
  { name: "another scheme", headers: [`Authorization: Basic ${btoa(`x:${token}`)}`], status: 401 },
  { name: "a prefix of the token", headers: [`Authorization: Bearer ${token.slice(0, -1)}`], status: 401 },
  { name: "the token and more", headers: [`Authorization: Bearer ${token}x`], status: 401 },
  {
    name: "another token of the same length",
    headers: [`Authorization: Bearer ${"x".repeat(token.length)}`],
    status: 401,
  },
  { name: "another case", headers: [`Authorization: Bearer ${token.toUpperCase()}`], status: 401 },
  { name: "a token that is not ASCII", headers: [`Authorization: Bearer ${utf8Token}`], status: 401 },
  { name: "the token in the query", headers: [], path: `/_api/flows?access_token=${token}`, status: 401 },
  { name: "the token in a cookie", headers: [`Cookie: token=${token}`], status: 401 },
  {
    name: "two headers, both right",
    headers: [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`],
    status: 401,
  },
  {
    name: "two headers, the first right",
    headers: [`Authorization: Bearer ${token}`, "Authorization: Basic eA=="],
    status: 401,
  },
  { name: "a token of 64 KB", headers: [`Authorization: Bearer ${"x".repeat(65_536)}`], status: 431 },
  { name: "a NUL", headers: [`Authorization: Bearer ${token}\0`], status: 400 },
];

describe("the deploy token", () => {
  for (const { name, headers, path = "/_api/flows", status } of cases) {
    it(`${status}: ${name}`, async (t: TestContext) => {
      const { port, seen } = await openDoor(t);
      const answer = await requestRaw(port, `GET ${path} HTTP/1.1`, headers);
      assert.equal(answer.status, status);
      assert.equal(seen.length, status === 200 ? 1 : 0);
      if (status !== 401) return;
      assert.equal(answer.body, '{"error":"unauthorized"}');
      assert.match(answer.headers["www-authenticate"] ?? "", /^Bearer/);
      assert.equal(answer.headers["x-error-code"], "unauthorized");
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
      assert.match(answer.headers["content-type"] ?? "", /^application\/json/);
    });
  }

  it("is compared as UTF-8 bytes", async (t) => {
    const { port } = await openDoor(t, { current: "pässwörd" });
    const answer = await requestRaw(port, "GET /_api/flows HTTP/1.1", [`Authorization: Bearer ${utf8Token}`]);
    assert.equal(answer.status, 200);
  });

  it("may be the previous one while it is replaced", async (t) => {
    const { port } = await openDoor(t, { previous: "old" });
    for (const [sent, status] of [
      ["old", 200],
      [token, 200],
      ["older", 401],
    ] as const) {
      const answer = await requestRaw(port, "GET /_api/flows HTTP/1.1", [`Authorization: Bearer ${sent}`]);
      assert.equal(answer.status, status, sent);
    }
  });

  for (const headers of [[], [`Authorization: Bearer ${token}`], ["Authorization: Bearer "]]) {
    it(`that is not configured gives 503, whatever is sent (${headers.length} headers)`, async (t) => {
      const { port, seen } = await openDoor(t, { current: undefined, previous: token });
      const answer = await requestRaw(port, "GET /_api/flows HTTP/1.1", headers);
      assert.equal(answer.status, 503);
      const body: unknown = JSON.parse(answer.body);
      assert.ok(typeof body === "object" && body !== null && "error" in body && Object.keys(body).length === 1);
      assert.match(String(body.error), /SERVICE_DEPLOY_TOKEN is not configured/);
      assert.deepEqual(seen, []);
    });
  }

  it("is recognised in what a flow must not get", () => {
    const authenticator = createAuthenticator({ current: sha256(token), previous: sha256("old") });
    for (const value of [`Bearer ${token}`, `bearer  ${token}`, token, "Token old", ` ${token} `]) {
      assert.equal(authenticator.isDeployToken(value), true, value);
    }
    for (const value of ["", "Bearer", "Bearer x", `${token}x`, "Basic eDp5"]) {
      assert.equal(authenticator.isDeployToken(value), false, value);
    }
  });
});
