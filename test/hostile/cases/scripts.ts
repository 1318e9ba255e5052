/** Expressions and scripts without end: 1, 5 and 7 of the list. */
import { changes, putFlow } from "../attacks.ts";
import { type HostileCase, hostile } from "../case.ts";

const scriptMs = 500;
const script = (code: string): Pick<HostileCase, "flows"> => ({
  flows: hostile(`script: { js: ${JSON.stringify(code)} }`),
});
const ended = {
  limits: { scriptMs },
  withinMs: scriptMs,
  answers: ["500 run_failed"],
  stoppedBy: "`scriptMs`",
} as const;
const recursion = { withinMs: 1000, answers: ["500 run_failed"], stoppedBy: "depth of the language" } as const;
const failed = (what: string): RegExp => new RegExp(`^failed/error .*${what}`);
const bomb = "a".repeat(40_000);
const linear = {
  withinMs: 100,
  body: `${bomb}!`,
  answers: ["200"],
  record: /^completed\/ok/,
  stoppedBy: "patterns run in linear time",
} as const;

export const scripts: readonly HostileCase[] = [
  { number: 1, name: "a script that loops", ...script("for (;;);"), ...ended, record: failed("scriptMs") },
  {
    number: 1,
    name: "a script that loops and catches",
    ...script("for (;;) { try { throw 1 } catch {} }"),
    ...ended,
    record: failed("scriptMs"),
  },
  {
    number: 1,
    name: "a script that fills buffers",
    ...script("const a = []; for (;;) a.push(new Uint8Array(1048576).fill(1))"),
    ...ended,
    stoppedBy: "the memory of a script, 64 MiB",
    record: failed("(memory|scriptMs)"),
  },
  {
    number: 1,
    name: "a script inside of one long native operation",
    ...script("new Array(1e9) + ''"),
    limits: { scriptMs, webhookWallMs: 1500 },
    withinMs: 1500,
    answers: ["504 run_timeout", "500 run_failed"],
    record: /^(timeout\/timeout|failed\/error .*memory)/,
    stoppedBy: "`webhookWallMs`; its thread is ended",
  },
  {
    number: 5,
    name: "a script that calls itself",
    ...script("(function f() { f() })()"),
    ...recursion,
    record: failed("stack"),
  },
  {
    number: 5,
    name: "a JSONata function that calls itself",
    flows: hostile(`setBody: { jsonata: "($f := function($n) { 1 + $f($n) }; $f(1))" }`),
    body: "{}",
    ...recursion,
    record: failed("deep"),
  },
  {
    number: 5,
    name: "a jq function that calls itself",
    flows: hostile(`setBody: { jq: "def f: 1 + f; f" }`),
    body: "{}",
    ...recursion,
    withinMs: 2000,
    record: failed(""),
  },
  {
    number: 7,
    name: "a regex bomb in simple",
    flows: hostile(`choice: { when: [{ simple: "\${body} regex '(a+)+$'", steps: [{ log: matched }] }] }`),
    ...linear,
  },
  {
    number: 7,
    name: "a regex bomb in validate, without case and with a count",
    flows: hostile(
      `doTry: { steps: [{ validate: { simple: "\${body} regex '(?i)(a|aa){1,50}$'" } }], doCatch: [{ exception: [java.lang.Throwable], steps: [{ log: caught }] }] }`,
    ),
    ...linear,
  },
  {
    number: 7,
    name: "a regex bomb in JSONata",
    flows: hostile(`setBody: { jsonata: "$match($string($headers.bomb), /(a+)+$/).match" }`),
    ...linear,
    answers: ["204"],
    body: "{}",
    headers: { bomb: `${"a".repeat(8000)}!` },
  },
  {
    number: 7,
    name: "a pattern that cannot run in linear time",
    flows: {},
    attack: changes([
      putFlow(hostile(`filter: { simple: "\${body} regex '(?=a)b'", steps: [] }`)["hostile.main"] as string),
    ]),
    withinMs: 2000,
    answers: ["422 flow_invalid"],
    stoppedBy: "refused by the check",
  },
];
