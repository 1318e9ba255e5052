import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { errorAnswer, errorBody } from "../../../src/control/http/reply.ts";
import { AppError } from "../../../src/shared/errors.ts";

describe("an error answer", () => {
  it("tells an AppError's message, code, status and headers", () => {
    const answer = errorAnswer(new AppError("queue_full", "the flow's queue is full", { "Retry-After": "1" }));
    assert.equal(answer.status, 429);
    assert.equal(answer.body, '{"error":"the flow\'s queue is full"}');
    assert.equal(answer.headers["X-Error-Code"], "queue_full");
    assert.equal(answer.headers["Retry-After"], "1");
  });

  for (const thrown of [new Error("/etc/secret"), "text", null, undefined, { status: 404, message: "x" }]) {
    it(`tells nothing of ${String(thrown)}`, () => {
      const answer = errorAnswer(thrown);
      assert.equal(answer.status, 500);
      assert.equal(answer.headers["X-Error-Code"], "internal");
      assert.match(answer.body, /^\{"error":"internal error; [^/]+"\}$/);
    });
  }

  for (const unit of ["x", "é", "€", "😀", '"', "\u0001", "\ud800", "\\"]) {
    it(`is at most 1 KiB of valid JSON when made of ${JSON.stringify(unit)}`, () => {
      const body = errorBody(unit.repeat(3000));
      assert.ok(Buffer.byteLength(body) <= 1024);
      assert.ok(Buffer.byteLength(body) > 1000);
      assert.match(JSON.parse(body).error, /…$/);
      assert.ok(JSON.parse(body).error.isWellFormed());
    });
  }
});
