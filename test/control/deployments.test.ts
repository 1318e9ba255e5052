/** Deployments of sets: all parts or none, what a dry run plans, and what prune removes. */
import assert from "node:assert/strict";
import test from "node:test";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface Part {
  readonly id?: string;
  readonly flowId?: string;
  readonly action: string;
  readonly revision: number;
  readonly diff?: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

interface Answer {
  readonly set: string;
  readonly changed: boolean;
  readonly flows: readonly Part[];
  readonly mappings: readonly Part[];
  readonly policies: readonly Part[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

const codes = (text: string) => ({ kind: "value", id: "codes", document: { entries: { A: text } } });
const looksUp = (id: string) => webhook(id, "setBody: { simple: '${vmap:codes:from:to:A}' }");
const policyOf = (key: string) => ({
  principals: { shop: { type: "apiKey", sha256: key.repeat(64), roles: ["sender"] } },
  rules: [{ allow: ["invoke"], roles: ["sender"] }],
});

const send = (app: TestApp, document: object, query = ""): Promise<Response> =>
  app.api(`/deployments${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(document),
  });

async function deploy(app: TestApp, document: object, query = ""): Promise<Answer> {
  const answer = await send(app, document, query);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text) as Answer;
}

async function refused(app: TestApp, document: object, status: number, code: string, query = ""): Promise<string> {
  const answer = await send(app, document, query);
  const text = await answer.text();
  assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [status, code], text);
  return (JSON.parse(text) as { error: string }).error;
}

const said = async (app: TestApp, route: string): Promise<string> => (await app.post(`/api/${route}`)).text();
const actions = ({ flows, mappings, policies }: Answer) =>
  [...flows, ...mappings, ...policies].map(({ id, flowId, action }) => `${action} ${id ?? flowId}`);
const ids = async (app: TestApp): Promise<string[]> =>
  ((await (await app.api("/flows")).json()) as { id: string }[]).map(({ id }) => id);

test("a set brings flows with their options, mappings and policies, which last", async (t) => {
  const app = await startTestApp(t);
  const set = {
    set: "shop",
    flows: [
      { id: "orders", yaml: looksUp("orders"), description: "Takes orders.", record: "all" },
      { id: "bills", yaml: answering("bills", "one"), policy: policyOf("a") },
    ],
    mappings: [codes("one")],
    policies: [{ flowId: "later", policy: policyOf("b") }],
  };
  const first = await deploy(app, set);
  assert.deepEqual(actions(first), ["create orders", "create bills", "create codes", "create bills", "create later"]);
  assert.deepEqual([first.changed, first.warnings], [true, []]);
  assert.equal(await said(app, "orders"), "one");
  assert.equal((await app.post("/api/bills")).status, 401);
  const { description, record } = (await (await app.api("/flows/orders")).json()) as Record<string, unknown>;
  assert.deepEqual([description, record], ["Takes orders.", "all"]);

  const again = await deploy(app, set);
  assert.deepEqual([again.changed, new Set(again.flows.map(({ action }) => action))], [false, new Set(["unchanged"])]);
  assert.equal(again.flows[0]?.revision, 1);
  await app.close();

  const second = await startTestApp(t, { directory: app.directory });
  assert.equal(await said(second, "orders"), "one");
  assert.equal((await second.post("/api/bills")).status, 401);
  const less = { ...set, flows: [{ id: "orders", yaml: looksUp("orders") }], mappings: [codes("two")] };
  assert.deepEqual(actions(await deploy(second, less)), ["replace orders", "replace codes", "unchanged later"]);
  assert.equal(await said(second, "orders"), "two");
  const now = (await (await second.api("/flows/orders")).json()) as Record<string, unknown>;
  assert.deepEqual([now["description"], now["record"]], [undefined, undefined], "a set has all that a flow has");
  assert.deepEqual(await ids(second), ["bills", "orders"], "without prune nothing is removed");
});

test("when one part does not pass, nothing has changed", async (t) => {
  const app = await startTestApp(t);
  await app.put("other", answering("taken", "other"));
  await app.put("orders", answering("orders", "before"));
  const good = { id: "orders", yaml: answering("orders", "after") };
  const message = await refused(
    app,
    { set: "s", flows: [good, { id: "bad", yaml: webhook("bad", "lgo: x") }], mappings: [codes("x")] },
    422,
    "flow_invalid",
  );
  assert.match(message, /bad\.yaml:\d+:\d+: unknown step 'lgo'/);
  const taken = { id: "takes", yaml: answering("taken", "mine") };
  assert.match(await refused(app, { set: "s", flows: [good, taken] }, 409, "route_taken"), /'taken'.*'other'/);
  await refused(app, { set: "s", flows: [good, { ...taken, limits: { queu: 1 } }] }, 422, "limit_not_allowed");
  const broken = { kind: "value", id: "codes", document: { entries: { A: "x" }, tests: [{ in: "A", out: "y" }] } };
  await refused(app, { set: "s", flows: [good], mappings: [broken] }, 422, "mapping_invalid");
  const clear = { principals: { shop: { type: "apiKey", key: "a-key-that-is-long-enough-to-be-one" } } };
  const said1 = await refused(
    app,
    { set: "s", flows: [good], mappings: [codes("x")], policies: [{ flowId: "orders", policy: clear }] },
    422,
    "policy_invalid",
  );
  assert.match(said1, /'orders' has a key in clear at \/principals\/shop\/key/);
  const files = webhook("files", "to: file:out");
  assert.equal(await said(app, "orders"), "before");
  assert.deepEqual(await ids(app), ["orders", "other"]);
  assert.equal((await app.api("/value-mappings/codes")).status, 404);
  assert.equal((await app.api("/auth/orders")).status, 404);
  assert.ok(files.length > 0);
  await deploy(app, { set: "s", flows: [good], mappings: [codes("x")] });
  assert.equal(await said(app, "orders"), "after");
});

test("names go from one flow of a set to another", async (t) => {
  const app = await startTestApp(t);
  const a = (route: string) => ({ id: "a", yaml: answering(route, `a as ${route}`) });
  const b = (route: string) => ({ id: "b", yaml: answering(route, `b as ${route}`) });
  await deploy(app, { set: "s", flows: [a("x"), b("y")] });
  await deploy(app, { set: "s", flows: [a("y"), b("x")] });
  assert.deepEqual([await said(app, "x"), await said(app, "y")], ["b as x", "a as y"]);
  await deploy(app, { set: "s", flows: [{ id: "c", yaml: answering("x", "c as x") }, a("y")] }, "?prune=true");
  assert.deepEqual([await said(app, "x"), await said(app, "y")], ["c as x", "a as y"]);
  assert.equal((await app.put("d", answering("x", "d"))).status, 409);
  const twice = await refused(app, { set: "s", flows: [a("z"), b("z")] }, 409, "route_taken");
  assert.match(twice, /'z' belongs to flow 'a'/);
});

test("prune removes what the same set has brought, with the policies of its flows, and nothing else", async (t) => {
  const app = await startTestApp(t);
  await app.put("mine", answering("mine", "x"));
  await app.api("/auth/guarded", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(policyOf("a")),
  });
  const flow = (id: string) => ({ id, yaml: answering(id, "x") });
  await deploy(app, { set: "other", flows: [flow("theirs")] });
  const guarded = { ...flow("both"), policy: policyOf("b") };
  await deploy(app, { set: "s", flows: [flow("one"), flow("two"), guarded, flow("guarded")], mappings: [codes("x")] });
  // Deleted and made again by somebody else: it is not the set's any more.
  await app.api("/flows/two", { method: "DELETE" });
  await app.put("two", answering("two", "mine now"));
  const { set } = (await (await app.api("/flows/one")).json()) as { set?: string };
  assert.equal(set, "s");

  const rest = { set: "s", flows: [flow("one")] };
  const planned = await deploy(app, rest, "?prune=true&dryRun=true");
  const expected = ["unchanged one", "remove both", "remove guarded", "remove codes", "remove both"];
  assert.deepEqual(actions(planned), expected);
  assert.deepEqual(await ids(app), ["both", "guarded", "mine", "one", "theirs", "two"]);
  assert.deepEqual(actions(await deploy(app, rest, "?prune=true")), expected);
  assert.deepEqual(await ids(app), ["mine", "one", "theirs", "two"]);
  assert.equal((await app.api("/auth/both")).status, 404);
  assert.equal((await app.api("/auth/guarded")).status, 200, "it was not written by the set");
  assert.equal((await app.api("/value-mappings/codes")).status, 404);
  assert.equal((await app.post("/api/both")).status, 404);
  await app.close();

  const second = await startTestApp(t, { directory: app.directory });
  assert.deepEqual(await ids(second), ["mine", "one", "theirs", "two"]);
  assert.deepEqual(actions(await deploy(second, { set: "s" }, "?prune=true")), ["remove one"]);
});

test("more than ten removals need their number, and a mapping that others use stays", async (t) => {
  const app = await startTestApp(t);
  const flows = Array.from({ length: 11 }, (_, n) => ({ id: `f${n}`, yaml: answering(`f${n}`, "x") }));
  await deploy(app, { set: "s", flows, mappings: [codes("x")] });
  await app.put("user", looksUp("user"));
  const used = await refused(app, { set: "s", flows }, 409, "mapping_in_use", "?prune=true");
  assert.match(used, /'codes' is not in the set any more, and the flow 'user' uses it/);
  const rest = { set: "s", mappings: [codes("x")] };
  const message = await refused(app, rest, 409, "removals_refused", "?prune=true");
  assert.match(message, /would remove 11 flows, 0 mappings, 0 policies and 0 connections: .*expectRemovals=11/);
  await refused(app, rest, 409, "removals_refused", "?prune=true&expectRemovals=12");
  assert.equal((await ids(app)).length, 12);
  await deploy(app, rest, "?prune=true&expectRemovals=11");
  assert.deepEqual(await ids(app), ["user"]);
});

test("a dry run answers the plan with diffs, and changes nothing", async (t) => {
  const app = await startTestApp(t);
  const set = (text: string) => ({
    set: "s",
    flows: [{ id: "f", yaml: answering("f", text), params: { n: text }, policy: policyOf(text === "one" ? "a" : "b") }],
    mappings: [codes(text)],
  });
  await deploy(app, set("one"));
  const plan = await deploy(app, set("two"), "?dryRun=true");
  assert.deepEqual(actions(plan), ["replace f", "replace codes", "replace f"]);
  const [flow, mapping, policy] = [...plan.flows, ...plan.mappings, ...plan.policies].map(({ diff = "" }) => diff);
  assert.match(flow ?? "", /--- f\.yaml\n\+\+\+ f\.yaml\n@@ [\s\S]*\n-.*constant: "one" }\n\+.*constant: "two" }/);
  assert.match(flow ?? "", /f\.flow\.yaml \(as JSON\)\n[\s\S]*-.*"n": "one"\n\+.*"n": "two"/);
  assert.match(mapping ?? "", /-.*"A": "one"\n\+.*"A": "two"/);
  assert.match(policy ?? "", /-.*"sha256": "aaa/);
  assert.equal(await (await app.api("/flows/f/revisions")).text().then((text) => JSON.parse(text).length), 1);
  assert.equal((await deploy(app, set("two"))).flows[0]?.diff, undefined);
});

test("a message mapping is checked with the value mappings of its set", async (t) => {
  const app = await startTestApp(t);
  const message = {
    kind: "message",
    id: "order",
    document: {
      rules: [{ id: "r", target: "/to", expr: "$vmap('codes','from','to',from)" }],
      tests: [{ name: "one", input: { from: "A" }, expect: { to: "new" } }],
    },
  };
  await refused(app, { set: "s", mappings: [codes("old"), message] }, 422, "mapping_invalid");
  const { mappings } = await deploy(app, { set: "s", mappings: [message, codes("new")] }, "?strict=true");
  assert.deepEqual(
    mappings.map(({ id, action }) => [id, action]),
    [
      ["codes", "create"],
      ["order", "create"],
    ],
  );
  const used = await refused(app, { set: "s", mappings: [message] }, 409, "mapping_in_use", "?prune=true");
  assert.match(used, /message mapping 'order' uses it/);
});

test("a body that is no set is refused by its place", async (t) => {
  const app = await startTestApp(t, { limits: { deploymentItems: 3 } });
  const flow = { id: "f", yaml: answering("f", "x") };
  for (const [document, message] of [
    [{ flows: [] }, /there is nothing to deploy/],
    [{ set: 1 }, /'set' must be an id/],
    [{ set: "s", connections: [{ name: "shop" }] }, /connections\/0\/document/],
    [{ set: "s", flows: [{ ...flow, record: "loud" }] }, /'flows\/0\/record' must be off, errors or all/],
    [{ set: "s", flows: [flow, { ...flow, id: "F" }] }, /flow 'F' and flow 'f' differ only by case/],
    [{ set: "s", flows: [flow, flow] }, /flow 'f' is in the set twice/],
    [{ set: "s", mappings: [{ kind: "value", id: "m" }] }, /mappings\/0: 'document' must be/],
    [
      { set: "s", mappings: [{ kind: "value", id: "m", text: "{}", document: {} }] },
      /mappings\/0 has 'document' and 'text'/,
    ],
    [{ flows: [{ ...flow, ifNoneMatch: "x" }] }, /'flows\/0\/ifNoneMatch' must be \*/],
    [
      { set: "s", mappings: [{ kind: "other", id: "m", document: {} }] },
      /'mappings\/0\/kind' must be value or message/,
    ],
    [
      { set: "s", flows: [{ ...flow, policy: {} }], policies: [{ flowId: "f", policy: {} }] },
      /policy of 'f' is in the set twice/,
    ],
    [{ set: "s", flows: ["a", "b", "c", "d"].map((id) => ({ ...flow, id })) }, /4 flows.*more than 3/],
  ] as const)
    assert.match(await refused(app, document, 400, "bad_request"), message);
  const { warnings } = await deploy(app, { set: "s", flows: [{ ...flow, auth: {} }], owner: 1 });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["unknown_field", "unknown_field"],
  );
  const noJson = await app.api("/deployments", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{",
  });
  assert.deepEqual([noJson.status, noJson.headers.get("x-error-code")], [400, "bad_json"]);
});

test("calls of flows that a set replaces are all answered, by the old flows or by the new ones", async (t) => {
  const app = await startTestApp(t);
  const set = (text: string) => ({
    set: "s",
    flows: Array.from({ length: 5 }, (_, n) => ({ id: `f${n}`, yaml: answering(`f${n}`, text) })),
  });
  await deploy(app, set("old"));
  let over = false;
  const seen = new Set<string>();
  const callers = Array.from({ length: 5 }, async (_, n) => {
    let last = "old";
    while (!over) {
      const answer = await app.post(`/api/f${n}`);
      const text = await answer.text();
      seen.add(`${answer.status} ${text}`);
      assert.ok(last === "old" || text === "new", "never back");
      last = text;
    }
  });
  await deploy(app, set("new"));
  over = true;
  await Promise.all(callers);
  assert.ok(
    [...seen].every((one) => one === "200 old" || one === "200 new"),
    [...seen].join(),
  );
  assert.equal(await said(app, "f4"), "new");
});

test("parts that name the version they replace are deployed over it and no other, all or none; texts of mappings stay as they are", async (t) => {
  const app = await startTestApp(t);
  const text = '{ "entries": { "A": "one" } }\n';
  const fresh = { ifNoneMatch: "*" };
  const first = await deploy(app, {
    flows: [{ id: "orders", yaml: looksUp("orders"), ...fresh }],
    mappings: [{ kind: "value", id: "codes", text, ...fresh }],
  });
  assert.equal(first.set, undefined);
  const installed = await app.api("/value-mappings/codes");
  assert.equal(await installed.text(), text);
  const tags = {
    flow: (await app.api("/flows/orders")).headers.get("etag") ?? "",
    mapping: installed.headers.get("etag") ?? "",
  };
  const flow = { id: "orders", yaml: `${looksUp("orders")}# new\n` };
  const codes2 = { ...codes("two"), ifMatch: tags.mapping };
  assert.match(
    await refused(app, { flows: [{ ...flow, ifMatch: '"0"' }], mappings: [codes2] }, 412, "precondition_failed"),
    /the flow 'orders' is at/,
  );
  assert.match(
    await refused(
      app,
      { flows: [flow], mappings: [{ ...codes2, ...fresh, ifMatch: undefined }] },
      412,
      "precondition_failed",
    ),
    /the value mapping 'codes' exists/,
  );
  const broken = { id: "orders", yaml: webhook("orders", "lgo: x") };
  await refused(app, { flows: [{ ...broken, ifMatch: tags.flow }], mappings: [codes2] }, 422, "flow_invalid");
  assert.equal(await said(app, "orders"), "one", "a refused flow keeps its mapping back");
  assert.deepEqual(actions(await deploy(app, { flows: [{ ...flow, ifMatch: tags.flow }], mappings: [codes2] })), [
    "replace orders",
    "replace codes",
  ]);
  assert.equal(await said(app, "orders"), "two");
  for (const bad of [{ text: 1 }, { text, document: {} }, { text: "{" }, {}])
    assert.equal(
      (await send(app, { mappings: [{ kind: "value", id: "codes", ...bad }] })).status,
      400,
      JSON.stringify(bad),
    );
});

test("without a set each part stays of the set that brought it, and nothing can be pruned", async (t) => {
  const app = await startTestApp(t);
  await deploy(app, {
    set: "shop",
    flows: [{ id: "orders", yaml: looksUp("orders"), policy: policyOf("a") }],
    mappings: [codes("one")],
  });
  await deploy(app, {
    flows: [{ id: "orders", yaml: looksUp("orders"), record: "all", policy: null }],
    mappings: [codes("two")],
  });
  assert.equal(await said(app, "orders"), "two", "the policy is removed");
  assert.equal(((await (await app.api("/flows/orders")).json()) as Answer).set, "shop");
  await refused(app, { mappings: [codes("two")] }, 400, "bad_request", "?prune=true");
  const pruned = await deploy(app, { set: "shop" }, "?prune=true");
  assert.deepEqual(actions(pruned), ["remove orders", "remove codes"]);
});

test("a mapping of a group that is shared no more warns of the flows of other groups that use it", async (t) => {
  const app = await startTestApp(t);
  const mapping = (shared: boolean) => ({
    kind: "value",
    id: "team.codes",
    document: { entries: { A: "one" }, ...(shared && { shared }) },
  });
  await deploy(app, { mappings: [mapping(true)] });
  await app.put("other", webhook("other", "setBody: { simple: '${vmap:team.codes:from:to:A}' }"));
  const { mappings } = await deploy(app, { set: "team", mappings: [mapping(false)] }, "?dryRun=true");
  assert.deepEqual(
    mappings[0]?.warnings.map(({ code }) => code),
    ["other_group"],
  );
  assert.match(String(mappings[0]?.warnings[0]?.message), /^flow 'other' may not use it/);
});
