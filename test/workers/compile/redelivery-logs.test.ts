/** What error handlers log of attempts and ends, as real Camel 4.17 did for the same flows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runRoute } from "../../support/run-route.ts";

const handled = "exception: [java.io.IOException], handled: { constant: 'true' }";
const clause = (policy: string, says = handled): string =>
  `- onException: { ${says}, redeliveryPolicy: { redeliveryDelay: 1, ${policy} }, steps: [{ setBody: { constant: x } }] }`;
const handler = (policy: string): string =>
  `- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { redeliveryDelay: 1, ${policy} } } }`;
const deadLetters = (policy: string): string =>
  `- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead", redeliveryPolicy: { redeliveryDelay: 1, ${policy} } } }`;

const failing = "throwException: { exceptionType: java.lang.IllegalStateException, message: n }";
const warn = "retryAttemptedLogLevel: WARN";
const caught = "caught: java.io.IOException: m";
const attempts = (...numbers: readonly number[]): string[] =>
  numbers.map((number) => `WARN On delivery attempt: ${number} ${caught}`);
const exhausted = (after: number, level = "ERROR"): string =>
  `${level} Exhausted after delivery attempt: ${after} ${caught}`;

const rows: readonly (readonly [elements: string, ...logs: string[]])[] = [
  [handler(`maximumRedeliveries: 2, ${warn}`), ...attempts(0, 1, 2), exhausted(3)],
  [handler(`maximumRedeliveries: 5, ${warn}, retryAttemptedLogInterval: 2`), ...attempts(0, 2, 4), exhausted(6)],
  [handler(`maximumRedeliveries: 5, ${warn}, retryAttemptedLogInterval: 3`), ...attempts(0, 3), exhausted(6)],
  [handler(`maximumRedeliveries: 2, ${warn}, retryAttemptedLogInterval: 0`), ...attempts(0, 1, 2), exhausted(3)],
  [handler(`maximumRedeliveries: 2, ${warn}, logExhausted: false`), ...attempts(0, 1, 2)],
  [handler(`maximumRedeliveries: 2, ${warn}, logRetryAttempted: false`), exhausted(3)],
  [handler("maximumRedeliveries: 1, retriesExhaustedLogLevel: WARN"), exhausted(2, "WARN")],
  [clause(`maximumRedeliveries: 0, ${warn}`), ...attempts(0)],
  [clause(`maximumRedeliveries: 2, ${warn}`), ...attempts(0, 1, 2)],
  [clause("logHandled: true"), exhausted(1)],
  [clause("logHandled: true, logExhausted: false")],
  [clause("retriesExhaustedLogLevel: WARN", "exception: [java.io.IOException]"), exhausted(1, "WARN")],
  [
    clause("logContinued: true", "exception: [java.io.IOException], continued: { constant: 'true' }"),
    `${exhausted(1)}. Handled and continue routing.`,
  ],
  [clause("logContinued: false", "exception: [java.io.IOException], continued: { constant: 'true' }")],
  [
    clause("logNewException: true").replace("setBody: { constant: x }", failing),
    "WARN New exception while the failure was handled: java.lang.IllegalStateException: n",
  ],
  [clause("logNewException: false").replace("setBody: { constant: x }", failing)],
  [deadLetters(`maximumRedeliveries: 0, ${warn}`), ...attempts(0)],
  [
    deadLetters("maximumRedeliveries: 1, logHandled: true, retriesExhaustedLogLevel: WARN"),
    `${exhausted(2, "WARN")}. Handled by DeadLetterChannel: [mock:dead]`,
  ],
];

for (const [elements, ...expected] of rows) {
  test(elements, async () => {
    const { logs } = await runRoute(`${elements}
- route:
    from:
      uri: direct:start
      steps: [{ throwException: { exceptionType: java.io.IOException, message: m } }]`);
    const lines = logs.map(
      ({ level, message }) => `${level} ${message.replace(/^Failed delivery for \([^)]*\)\. /, "")}`,
    );
    assert.deepEqual(
      lines.filter((line) => !line.startsWith("DEBUG ")),
      expected,
    );
  });
}
