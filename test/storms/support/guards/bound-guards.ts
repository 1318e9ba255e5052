/** Guards inside the interpreter: nothing that a step builds is without an end. */
import type { Guard } from "./guard.ts";

const bounds = ["test/workers/bounds.test.ts", "test/workers/hostile-flows.test.ts"];

export const boundGuards: readonly Guard[] = [
  {
    name: "steps of a run",
    file: "src/workers/engine/run.ts",
    from: "if (this.#meter.executed > this.limits.stepsPerRun) {",
    to: "if (this.#meter.executed > 1e12) {",
    suite: bounds,
  },
  {
    name: "turns of a loop",
    file: "src/workers/steps/loop.ts",
    from: "const most = context.limits.loopIterations;",
    to: "const most = context.limits.loopIterations * 1e6;",
    suite: bounds,
  },
  {
    name: "parts of a split",
    file: "src/workers/steps/split.ts",
    from: "const { splitItems } = context.limits;",
    to: "const splitItems = context.limits.splitItems * 1e6;",
    suite: bounds,
  },
  {
    name: "depth of direct calls",
    file: "src/workers/engine/run.ts",
    from: "if (depth + this.hops >= this.limits.directDepth) {",
    to: "if (depth + this.hops >= 1e9) {",
    suite: bounds,
  },
  {
    name: "headers of a message",
    file: "src/workers/engine/headers.ts",
    from: "if (this.#byName.size > this.#limits.headerCount) {",
    to: "if (this.#byName.size > 1e9) {",
    suite: bounds,
  },
  {
    name: "bytes of headers",
    file: "src/workers/engine/headers.ts",
    from: "if (this.#bytes > this.#limits.headerBytes) {",
    to: "if (this.#bytes > 1e12) {",
    suite: bounds,
  },
  {
    name: "bytes of variables",
    file: "src/workers/engine/named-values.ts",
    from: "if (total > variableBytes) {",
    to: "if (total > 1e12) {",
    suite: bounds,
  },
  {
    name: "groups of an aggregation",
    file: "src/workers/steps/aggregate/groups.ts",
    from: "if (present === undefined && this.#groups.size >= maxGroups) {",
    to: "if (present === undefined && this.#groups.size >= 1e9) {",
    suite: [...bounds, "test/workers/steps/aggregate.test.ts"],
  },
  {
    name: "bytes of an aggregation",
    file: "src/workers/steps/aggregate/groups.ts",
    from: "if (this.#bytes + bytes > maxBytes)",
    to: "if (this.#bytes + bytes > 1e12)",
    suite: [...bounds, "test/workers/steps/aggregate.test.ts"],
  },
  {
    name: "length of a pattern",
    file: "src/workers/engine/regex.ts",
    from: "if (pattern.length > maxPatternLength) throw",
    to: "if (pattern.length > 1e9) throw",
    suite: ["test/workers/languages/simple-errors.test.ts"],
  },
  {
    name: "bytes of a server's answer",
    file: "src/workers/components/http/exchange-once.ts",
    from: "if (bytes > most.bytes)",
    to: "if (bytes > 1e12)",
    suite: ["test/workers/components/http-bounds.test.ts"],
  },
  {
    name: "redirects of a request",
    file: "src/workers/components/http/producer.ts",
    from: "if (hops === most) {",
    to: "if (hops === 1e9) {",
    suite: ["test/workers/components/http-bounds.test.ts", "test/workers/components/http.test.ts"],
  },
  {
    name: "time of an expression",
    file: "src/workers/languages/budget.ts",
    from: "return left <= 0;",
    to: "return left <= -1e9;",
    suite: ["test/workers/languages/jsonata.test.ts", "test/workers/languages/jq.test.ts"],
  },
];
