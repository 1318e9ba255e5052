/** Calls of routes by their names, within a flow and between flows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { calledFlow, callingFlows, knownFlows } from "../../../designer/web/src/editor/calls/known-flows.ts";
import { callsOf, parse, renameRoutes, tree } from "../../../designer/web/src/model/index.ts";

const flow = (id: string, routes: readonly string[], calls: readonly string[] = [], isHere = true) => ({
  id,
  routes: routes.map((text) => {
    const [name = "", shared] = text.split("?");
    return { name, route: name, shared: shared !== undefined };
  }),
  calls,
  isHere,
});

test("a name leads to the flow of the caller's group that has it, else to one that shares it", () => {
  const flows = [
    flow("team.own", ["a"], ["a", "b", "c", "d"]),
    flow("other.far", ["a?shared", "b?shared", "c"]),
    flow("team.near", ["a"]),
  ];
  const called = (name: string) => calledFlow(flows, "team.own", name)?.id;
  assert.deepEqual(["a", "b", "c", "d"].map(called), ["team.near", "other.far", undefined, undefined]);
});

test("a route names the flows that reach it, and not those that have a nearer one of the name", () => {
  const flows = [
    flow("team.own", []),
    flow("team.near", [], ["a"]),
    flow("other.far", [], ["a"]),
    flow("third.caller", [], ["a"]),
    flow("third.own", ["a"]),
  ];
  const ids = (shared: boolean) => callingFlows(flows, "team.own", { name: "a", shared }).map(({ id }) => id);
  assert.deepEqual(ids(false), ["team.near"]);
  assert.deepEqual(ids(true), ["team.near", "other.far"]);
});

test("the workspace's version of a flow counts, and the runtime adds those that it does not have", () => {
  const { isHere: _, ...here } = flow("a", ["x"]);
  const route = (id: string, uri: string) => ({ id, uri, status: "Started" }) as const;
  const known = knownFlows(
    [here],
    [
      { id: "a", routes: [route("old", "direct:old")] },
      { id: "b", routes: [route("r", "direct:y?shared=true"), route("w", "webhook")], calls: ["x"] },
    ],
  );
  assert.deepEqual(known, [
    flow("a", ["x"]),
    { id: "b", routes: [{ name: "y", route: "r", shared: true }], calls: ["x"], isHere: false },
  ]);
});

const text = `- route:
    id: a
    from:
      uri: direct
      parameters: { name: a, shared: true }
      steps:
        - to: { uri: direct, parameters: { name: b } }
        - recipientList: { constant: "direct:b, direct:far" }
        - to: "direct:\${body}"
- route:
    id: b
    from: { uri: "direct:b?x=1", steps: [{ toD: "direct:b-\${body}" }, { to: "seda:far" }] }
- errorHandler:
    deadLetterChannel: { deadLetterUri: "direct:b" }
- rest:
    get: [{ path: /x, to: { uri: direct, parameters: { name: far } } }]
`;

test("names are read in every spelling of an address, and those that only messages give are not taken for names", () => {
  const read = parse(text);
  const { links } = tree(read);
  assert.deepEqual(
    links.map(({ scheme, name, to }) => [`${scheme}:${name}`, to !== undefined]),
    [
      ["direct:b", true],
      ["direct:b", true],
      ["direct:far", false],
      ["seda:far", false],
      ["direct:b", true],
      ["direct:far", false],
    ],
  );
  const { routes, calls } = callsOf(read, tree(read));
  assert.deepEqual(calls, ["far"]);
  assert.deepEqual(
    routes.map(({ name, route, shared }) => [name, route, shared]),
    [
      ["a", "a", true],
      ["b", "b", false],
    ],
  );
});

test("a copy of a flow has names of its own, also where a name stands beside its scheme", () => {
  const { text: copy } = renameRoutes(text, (name) => `${name}-2`);
  assert.match(copy, /parameters: \{ name: a-2, shared: true \}/);
  assert.match(copy, /to: \{ uri: direct, parameters: \{ name: b-2 \} \}/);
  assert.match(copy, /from: \{ uri: "direct:b-2\?x=1"/);
  assert.match(copy, /deadLetterUri: "direct:b-2"/);
  assert.match(copy, /name: far \}/);
});
