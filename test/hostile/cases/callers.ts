/** Callers that are hostile, or many: 8, 9, 26 and 29 of the list. */
import { crowd, endlessBody, slowly, stalledReaders } from "../attacks.ts";
import { type HostileCase, hostile, times } from "../case.ts";

export const callers: readonly HostileCase[] = [
  {
    number: 8,
    name: "thousands of calls that wait for an hour",
    flows: hostile("delay: { constant: 3600000 }"),
    attack: crowd(2500),
    limits: { webhookWallMs: 4000 },
    answers: ["504 run_timeout", "429 queue_full"],
    withinMs: 4000,
    record: /^(timeout\/timeout|shed\/queue_full)/,
    stoppedBy: "`runsPerThread` and `queue`: 429 with Retry-After; the others end at `webhookWallMs`",
    async also(_, answers) {
      const refused = answers.filter(({ status }) => status === 429);
      const untold = refused.filter(({ retryAfter }) => !retryAfter).length;
      const problems = untold > 0 ? [`${untold} of ${refused.length} refusals have no Retry-After`] : [];
      return refused.length < 1000 ? [...problems, `only ${refused.length} of 2500 were refused`] : problems;
    },
  },
  {
    number: 9,
    name: "a body of a gibibyte in chunks",
    flows: hostile("setBody: { constant: read }"),
    attack: endlessBody,
    answers: ["413 body_too_large"],
    withinMs: 2000,
    stoppedBy: "`webhookBodyBytes`: the connection is closed",
  },
  {
    number: 26,
    name: "500 connections that send one byte a second",
    flows: hostile("setBody: { constant: read }"),
    attack: slowly(500),
    answers: ["408 request_timeout"],
    withinMs: 10_000,
    stoppedBy: "`requestHeadersMs`",
  },
  {
    number: 29,
    name: "readers that take nothing of answers of 8 MB",
    flows: hostile(times(13, `setBody: { simple: "\${body}\${body}" }`), "removeHeaders: '*'"),
    body: "x".repeat(1000),
    attack: stalledReaders(20),
    answers: ["0"],
    // The server of the storm has 5 s in place of 30, from where the answer begins.
    withinMs: 6000,
    stoppedBy: "`responseStallMs`; `flowBytesInFlight`: an answer that does not fit is 503",
  },
];
