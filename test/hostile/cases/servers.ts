/** Servers that are hostile to a flow that calls them, and flows that call where they may not: 22 to 25 of the list. */
import { type HostileCase, hostile } from "../case.ts";
import { forbiddenConnections } from "../far-side.ts";

const failed = (what: string): RegExp => new RegExp(`^failed/error .*${what}`);
const to = (path: string, parameters = ""): Pick<HostileCase, "flows"> => ({
  flows: hostile(`to: { uri: "{{far}}${path}"${parameters === "" ? "" : `, parameters: { ${parameters} }`} }`),
});
const limits = { outboundHeadersMs: 1000, outboundTotalMs: 3000 };
const noConnection = async (): Promise<readonly string[]> =>
  forbiddenConnections() === 0 ? [] : [`${forbiddenConnections()} connections to an address that is forbidden`];
const denied = {
  answers: ["500 run_failed"],
  withinMs: 1000,
  record: failed("EgressDenied"),
  stoppedBy: "the rules of egress, at each address and each redirect",
  also: noConnection,
} as const;

/** Each reads as an address that flows may not call. */
const spellings = [
  "http://2130706434",
  "http://0x7f000002",
  "http://0177.0.0.2",
  "http://127.2",
  "http://[::ffff:127.0.0.2]",
  "http://[64:ff9b::7f00:2]",
  "http://127.0.0.2.",
  "http://user:word@127.0.0.2",
  "http://127。0。0。2",
  "http://169.254.169.254",
];

export const servers: readonly HostileCase[] = [
  {
    number: 22,
    name: "a server that never answers",
    ...to("/silent"),
    limits,
    answers: ["500 run_failed", "504 run_timeout"],
    withinMs: 1000,
    record: failed(""),
    stoppedBy: "`outboundHeadersMs`",
  },
  {
    number: 23,
    name: "an answer without end",
    ...to("/endless"),
    answers: ["500 run_failed"],
    withinMs: 3000,
    record: failed("LimitExceededException"),
    stoppedBy: "`outboundResponseBytes`",
  },
  {
    number: 23,
    name: "an answer of one byte a second",
    ...to("/drip"),
    limits,
    answers: ["500 run_failed"],
    withinMs: 3000,
    record: failed(""),
    stoppedBy: "`outboundTotalMs`",
  },
  {
    number: 24,
    name: "redirects in a circle",
    ...to("/circle", "followRedirects: true"),
    answers: ["500 run_failed"],
    withinMs: 2000,
    record: failed(""),
    stoppedBy: "`outboundRedirects`",
  },
  {
    number: 24,
    name: "a redirect to the metadata of the cloud",
    ...to("/metadata", "followRedirects: true"),
    ...denied,
  },
  { number: 24, name: "a redirect to a forbidden server", ...to("/forbidden", "followRedirects: true"), ...denied },
  {
    number: 24,
    name: "forbidden addresses in each spelling",
    flows: hostile(
      ...spellings.map(
        (one) =>
          `doTry: { steps: [{ toD: "${one}:{{forbiddenPort}}/" }], doCatch: [{ exception: [java.lang.Throwable], steps: [{ setVariable: { name: told, simple: "\${variable.told} \${exception.message}" } }] }] }`,
      ),
      "throwException: { exceptionType: EgressDenied, message: all }",
    ),
    ...denied,
    withinMs: 3000,
  },
  {
    number: 25,
    name: "an answer of gzip that is a thousand times as long",
    ...to("/bomb"),
    answers: ["500 run_failed"],
    withinMs: 3000,
    record: failed("LimitExceededException"),
    stoppedBy: "`outboundResponseBytes`, counted after decompression",
  },
];
