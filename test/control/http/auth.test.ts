/** The deploy token at the door; the shapes that credentials come in are cases of the corpus. */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, it } from "node:test";
import { createAuthenticator } from "../../../src/control/http/auth.ts";
import { openDoor, sha256, token } from "./door.ts";
import { requestRaw } from "./raw.ts";

const utf8Token = Buffer.from("pässwörd", "utf8").toString("latin1");

describe("the deploy token", () => {
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

  it("is compared with both in constant time, whichever was sent and whichever is right", async (t) => {
    const { port } = await openDoor(t, { previous: "old" });
    const compare = t.mock.method(crypto, "timingSafeEqual");
    syncBuiltinESMExports();
    t.after(() => {
      compare.mock.restore();
      syncBuiltinESMExports();
    });
    for (const sent of [token, "old", "wrong", "", "x".repeat(9000)]) {
      compare.mock.resetCalls();
      await requestRaw(port, "GET /_api/flows HTTP/1.1", [`Authorization: Bearer ${sent}`]);
      assert.equal(compare.mock.callCount(), 2, sent);
      for (const side of compare.mock.calls.flatMap((call) => call.arguments)) assert.equal(side.byteLength, 32);
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
