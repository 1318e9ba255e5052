/** Any JSON document is read as a session, or refused with what is wrong with it: never with another error. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  readInvokeRequest,
  readMoreAssertions,
  readSession,
} from "../../../src/control/api/session-reading/read-session.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";

const names = (
  "flowId name ttlMs scope mocks assertions replaceFrom invoke recordedFrom notes stepId id step uri respond throw spy sequence " +
  "times after when body bodyBase64 expression headers status delayMs type message statusCode responseBody responseHeaders " +
  "endpoint routeId with timeoutMs runId hash sessionId simple mockCalled __proto__ constructor toString"
).split(" ");
const values = [
  "direct:a",
  "session",
  "fail",
  "AA==",
  "a.B",
  "HttpOperationFailedException",
  "IOException: no",
  1,
  503,
  true,
];

const { document } = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.constantFrom(...values), fc.jsonValue({ maxDepth: 1 })),
  object: fc.dictionary(fc.constantFrom(...names), tie("document"), { maxKeys: 6 }),
  list: fc.array(tie("document"), { maxLength: 4 }),
  document: fc.oneof({ depthSize: "medium", withCrossShrink: true }, tie("leaf"), tie("object"), tie("list")),
}));

const readers = [
  ["session_invalid", (sent: unknown) => readSession(sent, defaultLimits)],
  ["session_invalid", readMoreAssertions],
  ["bad_request", readInvokeRequest],
] as const;

test("any JSON document is a session, or is refused with a message that has room in an answer", () => {
  fc.assert(
    fc.property(document, (value) => {
      // As it comes from the wire: own names only, `__proto__` among them.
      const sent: unknown = JSON.parse(JSON.stringify(value));
      for (const [code, read] of readers) {
        try {
          read(sent);
        } catch (error) {
          assert.ok(error instanceof AppError && error.code === code, String(error));
          assert.ok(error.message !== "");
        }
      }
    }),
    { numRuns: 2000 },
  );
});
