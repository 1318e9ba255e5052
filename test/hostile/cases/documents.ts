/** What is put and must not be, or does no harm: 21, 27 and 28 of the list. */
import { changes, putFlow } from "../attacks.ts";
import { type HostileCase, route } from "../case.ts";

const timer = (period: string): string => route("hostile-timer", `timer:t?period=${period}`, "log: tick");
const refused = {
  flows: {},
  answers: ["422 flow_invalid"],
  withinMs: 2000,
  stoppedBy: "refused by the check",
} as const;
const entries = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key number ${i}`, `value ${i}`]));

let version = 0;

export const documents: readonly HostileCase[] = [
  {
    number: 21,
    name: "timers with impossible periods",
    ...refused,
    attack: changes(["0", "1", "-1", "NaN", "1e12"].map((period) => putFlow(timer(period)))),
  },
  {
    number: 21,
    name: "timers with extreme periods",
    flows: {},
    attack: changes(["1000000000000", "10"].map((period) => putFlow(timer(period)))),
    answers: ["201", "200"],
    withinMs: 2000,
    stoppedBy: "the shortest period; times longer than a timer of the platform are waited for in parts",
  },
  {
    number: 27,
    name: "a thousand deployments that fail",
    flows: {},
    attack: changes(
      [() => putFlow(route("hostile", "webhook", `setBody: { constant: "${version++} {{missing}}" }`))],
      1000,
    ),
    answers: ["422 flow_invalid", "422 flow_failed"],
    withinMs: 2000,
    stoppedBy: "refused by the check; no thread is lost",
  },
  {
    number: 28,
    name: "a value mapping of a million entries",
    flows: {},
    attack: changes([{ path: "/value-mappings/hostile", body: { entries: entries(1_000_000) } }]),
    answers: ["413 body_too_large", "422 mapping_invalid"],
    withinMs: 10_000,
    stoppedBy: "`mappingBytes`, `mappingRows`",
  },
  {
    number: 28,
    name: "a message mapping that nests without end",
    flows: {},
    attack: changes([{ path: "/message-mappings/hostile", body: nested(2000) }]),
    answers: ["422 mapping_invalid", "400 bad_json"],
    withinMs: 10_000,
    stoppedBy: "refused by the check: depth of a document",
  },
];

function nested(levels: number): unknown {
  let inner: unknown = { target: "a", expr: "1" };
  for (let i = 0; i < levels; i++) inner = { target: "a", forEach: "b", rules: [inner] };
  return { rules: [inner] };
}
