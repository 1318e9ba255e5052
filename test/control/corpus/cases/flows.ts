/** Flow documents that must not be deployed: well-formed requests, so 422 with the place of the mistake. */

import type { ErrorCode } from "../../../../src/shared/errors.ts";
import { direct, webhook } from "../../../support/flows.ts";
import type { Case, Group } from "../case.ts";

type Row = readonly [name: string, yaml: string, says: RegExp];

const from = (uri: string, ...more: readonly string[]): string =>
  `- route:\n    id: flow-case\n    from:\n      uri: ${uri}\n${more.map((line) => `      ${line}\n`).join("")}      steps:\n        - stop: {}\n`;

const aliases = Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1},`.repeat(i === 0 ? 0 : 9)}x]`).join(
  "\n",
);

const rows: readonly Row[] = [
  ["nothing", "", /1:1/],
  ["a comment alone", "# nothing", /:1:/],
  ["not YAML", "a: [1, 2", /1:9/],
  ["binary", "\u0001\u0002\u0003", /:1:/],
  ["a word", "hello", /:1:1/],
  ["a number", "42", /:1:1/],
  ["an empty list", "[]", /:1:1/],
  ["an empty map", "{}", /:1:1/],
  ["a list of words", "- a\n- b", /:1:3/],
  ["two documents", `${webhook("flow-case", "stop: {}")}---\n${webhook("b", "stop: {}")}`, /:7:\d+.*one YAML document/],
  ["tabs", "- route:\n\tid: a", /:2:1.*[Tt]ab/],
  ["a key twice", "- route:\n    id: a\n    id: b\n    from: webhook", /:3:5.*twice/],
  ["aliases that grow", aliases, /alias/],
  ["a list without an end, and a line end", "[\n", /:2:1: /],
  ["a quotation that ends too early, lines later", "'- from:\n    uri: x\n    steps: '[0-9]\n", /:3:13: /],
  ["an alias without anchor", "- route: *x", /:1:10.*anchor/],
  ["an alias inside of its anchor", "- &a [*a]", /:1:\d+.*anchor/],
  ["depth 65", "[".repeat(70) + "]".repeat(70), /:1:\d+.*nest/],
  ["depth 5000", "[".repeat(5000), /:1:\d+.*nest/],
  ["merge keys", `${webhook("flow-case", "stop: {}")}      <<: { id: a }\n`, /:7:7.*merge/],
  ["a tag that makes code", "- !!js/function 'function(){}'", /:1:17.*not allowed/],
  ["an unknown tag", "- !mine x", /:1:9.*not allowed/],
  ["no from", "- route:\n    id: a\n    steps: []", /:1:3.*from/],
  ["from a list", "- route:\n    id: a\n    from: []", /:3:\d+/],
  ["a uri that is a map", from("{ a: b }"), /:4:12/],
  ["no steps behind a timer", "- route:\n    id: a\n    from:\n      uri: timer:t\n      steps: []", /step/],
  ["steps that are a map", "- route:\n    id: a\n    from:\n      uri: webhook\n      steps: { log: x }", /:5:14/],
  ["an unknown element", "- roote: {}", /:1:3.*did you mean 'route'/],
  ["an unknown component", from("wbhook"), /:4:12.*did you mean 'webhook'/],
  ["a component that cannot begin a route", from("log:x"), /:4:12/],
  ["an unknown step", webhook("flow-case", "lgo: x"), /:6:11.*did you mean 'log'/],
  ["a step without a name", webhook("flow-case", "x"), /:6:11/],
  ["two steps in one", webhook("flow-case", "{ log: x, stop: {} }"), /:6:\d+/],
  ["a misspelt option", webhook("flow-case", "log: { mesage: x }"), /:6:18.*did you mean 'message'/],
  ["an option of a wrong type", webhook("flow-case", "log: { message: [] }"), /:6:27/],
  ["a missing option", webhook("flow-case", "setHeader: { constant: x }"), /:6:\d+.*name/],
  ["an unknown option of a component", from("timer:t?perod=1s"), /:4:\d+.*did you mean 'period'/],
  ["a value that is no choice", webhook("flow-case", "log: { message: x, loggingLevel: LOUD }"), /:6:\d+/],
  ["a bad expression", webhook("flow-case", "setBody: { simple: '${' }"), /:6:\d+/],
  ["an unknown function", webhook("flow-case", "setBody: { simple: '${bdy}' }"), /:6:\d+/],
  ["two languages", webhook("flow-case", "setBody: { simple: x, constant: y }"), /:6:\d+.*'simple' and 'constant'/],
  ["a bad regex", webhook("flow-case", "filter: { simple: \"${body} regex '('\", steps: [{ stop: {} }] }"), /:6:\d+/],
  [
    "a regex with a back reference",
    webhook("flow-case", "filter: { simple: \"${body} regex '(a)\\\\1'\", steps: [{ stop: {} }] }"),
    /:6:\d+/,
  ],
  ["a placeholder without a value", webhook("flow-case", 'log: "{{none}}"'), /:6:\d+.*none/],
  [
    "a variable of the environment that is not allowed",
    webhook("flow-case", 'log: "{{env:SERVICE_DEPLOY_TOKEN}}"'),
    /ENV_ALLOW/,
  ],
  ["an id outside the grammar", webhook("'a b'", "stop: {}"), /:2:9/],
  ["__proto__ as an id", webhook("__proto__", "stop: {}"), /:2:9/],
  ["a route id twice", webhook("flow-case", "stop: {}").repeat(2), /:8:9.*2:9|:8:9/],
  ["a step id twice", webhook("flow-case", "log: { id: a, message: x }", "log: { id: a, message: y }"), /:7:\d+/],
  ["a direct name twice", `${direct("a", "x", "stop: {}")}${direct("b", "x", "stop: {}")}`, /direct/],
  ["period 0", from("timer:t?period=0"), /:4:\d+/],
  ["a negative period", from("timer:t?period=-1"), /:4:\d+/],
  ["a period that is no number", from("timer:t?period=soon"), /:4:\d+/],
  ["period 9 ms", from("timer:t?period=9"), /:4:\d+.*10/],
  ...["/_api", "_api/flows", "/%5Fapi", "/api/../_api", "//_api", "/_API/x", "/_api;v=1", "/{any}/flows", "/*"].map(
    (path): Row => [`the path ${path}`, from(`platform-http:${path}`), /:4:\d+.*_api/],
  ),
];

const taken: readonly (readonly [name: string, yaml: string, code: ErrorCode])[] = [
  ["a route id of another flow", webhook("owned", "stop: {}"), "route_taken"],
  ["a direct name of another flow", direct("flow-case", "callee", "stop: {}"), "direct_taken"],
];

const settings: readonly (readonly [name: string, more: object, code: ErrorCode])[] = [
  ["a limit that does not exist", { limits: { treads: 2 } }, "limit_not_allowed"],
  ["a limit that flows may not set", { limits: { managementBodyBytes: 5 } }, "limit_not_allowed"],
  ["a limit over its ceiling", { limits: { threads: 1000 } }, "limit_not_allowed"],
  ["a negative limit", { limits: { queue: -1 } }, "limit_not_allowed"],
  ["half a thread", { limits: { threads: 0.5 } }, "limit_not_allowed"],
  ["a limit as a text", { limits: { queue: "many" } }, "limit_not_allowed"],
];

const put = { method: "PUT", path: "/_api/flows/flow-case" } as const;

export const flows: Group = {
  group: "flow documents",
  cases: [
    ...rows.map(
      ([name, yaml, says]): Case => ({
        ...put,
        name,
        body: JSON.stringify({ yaml }),
        status: 422,
        code: "flow_invalid",
        says,
      }),
    ),
    ...taken.map(([name, yaml, code]): Case => ({ ...put, name, body: JSON.stringify({ yaml }), status: 409, code })),
    ...settings.map(
      ([name, more, code]): Case => ({
        ...put,
        name,
        body: JSON.stringify({ yaml: webhook("flow-case", "stop: {}"), ...more }),
        status: 422,
        code,
      }),
    ),
    { ...put, method: "GET", name: "nothing of them was deployed", status: 404, code: "not_found" },
  ],
};
