/** Messages that grow without end: 3, 4, 15 of the list, and what is larger than a thread can hold at once. */
import { crowd } from "../attacks.ts";
import { type HostileCase, hostile, times } from "../case.ts";

const turn = `\${exchangeProperty.CamelLoopIndex}`;
const body = "x".repeat(1000);
const limited = (what: string): RegExp => new RegExp(`^failed/error .*LimitExceededException.*${what}`);
const ended = { withinMs: 3000, answers: ["500 run_failed"], body } as const;

export const memory: readonly HostileCase[] = [
  {
    number: 3,
    name: "a body that doubles",
    flows: hostile(times(1000, `setBody: { simple: "\${body}\${body}" }`)),
    ...ended,
    record: limited("a text built"),
    stoppedBy: "`messageBodyBytes`",
  },
  {
    number: 3,
    name: "ever new large variables",
    flows: hostile(
      times(14, `setBody: { simple: "\${body}\${body}" }`),
      times(1000, `setVariable: { name: "v${turn}", simple: "\${body}${turn}" }`),
    ),
    ...ended,
    // 8 MB each, in a moment.
    body: "x".repeat(500),
    record: limited("variables of a message have at most"),
    stoppedBy: "`variableBytes`",
  },
  {
    number: 4,
    name: "base64 of base64",
    flows: hostile(times(1000, "marshal: { base64: {} }")),
    ...ended,
    record: limited(""),
    stoppedBy: "`messageBodyBytes`, which counts bytes as well as characters",
  },
  {
    number: 4,
    name: "a bomb of gzip that the flow itself unpacks",
    flows: hostile(
      times(13, `setBody: { simple: "\${body}\${body}" }`),
      "marshal: { gzipDeflater: {} }",
      `setVariable: { name: packed, simple: "\${body}" }`,
      times(1000, "unmarshal: { gzipDeflater: {} }", "marshal: { base64: {} }", "marshal: { gzipDeflater: {} }"),
    ),
    ...ended,
    record: limited(""),
    stoppedBy: "`messageBodyBytes`, before all is unpacked",
  },
  {
    number: 15,
    name: "ever new headers",
    flows: hostile(times(10_000, `setHeader: { name: "h${turn}", constant: x }`)),
    ...ended,
    record: limited("at most 200 headers"),
    stoppedBy: "`headerCount`",
  },
  {
    number: 15,
    name: "a header of a mebibyte",
    flows: hostile(times(11, `setBody: { simple: "\${body}\${body}" }`), `setHeader: { name: h, simple: "\${body}" }`),
    ...ended,
    record: limited("headers have at most"),
    stoppedBy: "`headerBytes`",
  },
  {
    number: 31,
    name: "ten documents of 10 MB at once",
    flows: hostile("unmarshal: { json: {} }", `setBody: { simple: "\${body.size()}" }`),
    attack: crowd(10),
    body: JSON.stringify(
      Array.from({ length: 100_000 }, (_, i) => ({
        id: i,
        name: `a name ${i}`,
        tags: ["a", "b", i],
        more: "y".repeat(30),
      })),
    ),
    withinMs: 30_000,
    // All of them may be there at once: what is left to do is not to run them so.
    limits: { flowBytesInFlight: 128 * 1024 * 1024 },
    oneAllocationMiB: 128,
    answers: ["200"],
    record: /^completed\/ok/,
    stoppedBy: "admission by bytes: they queue",
  },
];
