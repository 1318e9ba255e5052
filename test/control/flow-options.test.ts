/** The options of a flow: what a PUT leaves out stays, null removes, and every answer reports what is in force. */
import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface Reported {
  readonly revision: number;
  readonly changed: boolean;
  readonly warnings: readonly { readonly code: string }[];
  readonly [option: string]: unknown;
}

const names = "params limits isolation threads record keepFailed logHandled description category tests".split(" ");
const all = {
  params: { who: "you" },
  limits: { queue: 7 },
  isolation: "thread",
  threads: 2,
  record: "all",
  keepFailed: "all",
  logHandled: false,
  description: "Greets.",
  category: "samples",
  tests: [{ name: "greets", post: { path: "/api/r", body: { id: 12345678901234567890n } } }],
};
const yaml = webhook("r", 'setBody: { constant: "{{who:nobody}}" }');

const optionsIn = (from: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]));
const said = async (app: TestApp): Promise<string> => (await app.post("/api/r")).text();
const read = async (answer: Response): Promise<Reported> => {
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text) as Reported;
};
const flow = async (app: TestApp): Promise<Reported> => read(await app.api("/flows/f"));
/** What `all` is when it is read by JSON.parse. */
const expected = JSON.parse(JSON.stringify(all)) as object;

async function deployed(t: TestContext): Promise<TestApp> {
  const app = await startTestApp(t);
  const answer = await read(await app.put("f", yaml, all));
  assert.deepEqual(optionsIn(answer), expected);
  return app;
}

test("options that a PUT leaves out stay as they are, over a restart, too", async (t) => {
  const app = await deployed(t);
  const bare = await app.api("/flows/f", {
    method: "PUT",
    headers: { "Content-Type": "application/yaml" },
    body: `${yaml}# changed\n`,
  });
  const answer = await read(bare);
  assert.deepEqual([answer.revision, answer.changed, answer.warnings], [2, true, []]);
  assert.deepEqual(optionsIn(answer), expected);
  assert.equal(await said(app), "you");
  await app.close();

  const second = await startTestApp(t, { directory: app.directory });
  assert.deepEqual(optionsIn(await flow(second)), expected);
  assert.deepEqual(optionsIn(await read(await second.put("f", yaml))), expected);
  assert.match(await (await second.api("/flows/f")).text(), /"id":12345678901234567890/);
  assert.equal(await said(second), "you");
});

test("null removes an option, one that is sent replaces it, and the answer has what is in force", async (t) => {
  const app = await deployed(t);
  const removed = Object.fromEntries(names.map((name) => [name, null]));
  const answer = await read(await app.put("f", yaml, removed));
  assert.deepEqual(optionsIn(answer), { params: {}, limits: {} });
  assert.deepEqual(answer["inForce"], {
    ...{ isolation: (answer["inForce"] as Reported)["isolation"], threads: 1 },
    ...{ record: "errors", keepFailed: true, logHandled: true },
  });
  assert.equal(await said(app), "nobody");
  const one = await read(await app.put("f", yaml, { record: "off", keepFailed: false }));
  assert.deepEqual(optionsIn(one), { params: {}, limits: {}, record: "off", keepFailed: false });
  assert.equal((one["inForce"] as Reported)["record"], "off");
});

test("a flow that is made again after a DELETE has none of the options of the one before", async (t) => {
  const app = await deployed(t);
  await app.api("/flows/f", { method: "DELETE" });
  assert.deepEqual(optionsIn(await read(await app.put("f", yaml))), { params: {}, limits: {} });
});

test("the same text and options change nothing, another option alone makes a revision", async (t) => {
  const app = await deployed(t);
  assert.equal((await read(await app.put("f", yaml))).changed, false);
  assert.equal((await read(await app.put("f", yaml, all))).changed, false);
  const other = await read(await app.put("f", yaml, { category: "others" }));
  assert.deepEqual([other.changed, other.revision], [true, 2]);
  const tag = (await app.api("/flows/f")).headers.get("etag") ?? "";
  assert.match(tag, /\.2"$/);
});

test("a rollback brings back the options of its revision, also those that are not set now", async (t) => {
  const app = await deployed(t);
  await app.put("f", yaml, { record: null, tests: null, params: { who: "me" } });
  await app.put("f", yaml, { threads: null });
  const back = await app.api("/flows/f/rollback", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"revision": 1}',
  });
  assert.deepEqual(optionsIn(await read(back)), expected);
  const revisions = (await (await app.api("/flows/f/revisions")).json()) as Reported[];
  assert.deepEqual(
    revisions.map((one) => [one.revision, one["record"], one["threads"]]),
    [
      [4, "all", 2],
      [3, undefined, undefined],
      [2, undefined, 2],
      [1, "all", 2],
    ],
  );
  assert.equal(await said(app), "you");
});

test("a dry run and a validation take the options that stay", async (t) => {
  const app = await startTestApp(t);
  const needs = webhook("r", 'setBody: { constant: "{{who}}" }');
  await app.put("f", needs, { params: { who: "you" }, record: "all" });
  const changed = `${needs}# changed\n`;
  const dry = await read(await app.put("f", changed, {}, "?dryRun=true"));
  assert.deepEqual([dry["dryRun"], dry["record"], dry["params"]], [true, "all", { who: "you" }]);
  const validate = (document: object): Promise<Response> =>
    app.api("/flows/f/validate", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(document),
    });
  assert.equal((await read(await validate({ yaml: changed })))["valid"], true);
  assert.equal((await read(await validate({ yaml: changed, params: null })))["valid"], false);
  assert.equal((await flow(app)).revision, 1);
});

test("settings among the limits are the options of the same name", async (t) => {
  const app = await startTestApp(t);
  const first = await read(await app.put("f", yaml, { limits: { queue: 3, record: "all", logHandled: false } }));
  assert.deepEqual(optionsIn(first), { params: {}, limits: { queue: 3 }, record: "all", logHandled: false });
  const second = await read(await app.put("f", yaml, { limits: { queue: 4 } }));
  assert.deepEqual(optionsIn(second), { params: {}, limits: { queue: 4 }, record: "all", logHandled: false });
  const third = await read(await app.put("f", yaml, { record: null }));
  assert.equal((third["inForce"] as Reported)["record"], "errors");
  const twice = await app.put("f", yaml, { record: "off", limits: { record: "all" } });
  assert.equal(twice.status, 400);
  assert.match(await twice.text(), /'record' and 'limits.record' differ/);
  assert.equal((await app.put("f", yaml, { limits: { record: "loud" } })).status, 422);
});

test("an option of a wrong kind is refused by its name, and nothing changes", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml);
  for (const [name, value, message] of [
    ["isolation", "vm", /'isolation' must be thread or process/],
    ["threads", 0, /'threads' must be a whole number from 1/],
    ["record", "some", /'record' must be off, errors or all/],
    ["keepFailed", "some", /'keepFailed' must be true, false or all/],
    ["logHandled", 1, /'logHandled' must be true or false/],
    ["description", "x".repeat(4001), /'description' must have at most 4000 characters/],
    ["tests", [1], /'tests\/0' must be a test/],
    ["tests", {}, /'tests' must be a list of tests/],
  ] as const) {
    const answer = await app.put("f", yaml, { [name]: value });
    const text = await answer.text();
    assert.deepEqual([answer.status, message.test(text)], [400, true], text);
  }
  const many = await app.put("f", yaml, { threads: 100_000 });
  assert.equal(many.status, 422);
  assert.equal((await flow(app)).revision, 1);
});

test("lists have the description and the category of each flow", async (t) => {
  const app = await deployed(t);
  await app.put("g", answering("s", "x"));
  const about = async (of: TestApp): Promise<unknown[]> =>
    ((await (await of.api("/flows")).json()) as Reported[]).map((one) => [one["description"], one["category"]]);
  const both = [
    ["Greets.", "samples"],
    [undefined, undefined],
  ];
  assert.deepEqual(await about(app), both);
  await app.close();
  assert.deepEqual(await about(await startTestApp(t, { directory: app.directory })), both);
});

test("a record of a version that had settings among the limits is read as one of today", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", yaml, { record: "all", threads: 2, limits: { queue: 5 } });
  await app.close();
  const { readFile, writeFile } = await import("node:fs/promises");
  const path = `${app.directory}/data/flows/f/1.json`;
  const { record, threads, limits, ...rest } = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...rest, limits: { ...limits, record, threads } }));
  const second = await startTestApp(t, { directory: app.directory });
  const { revision, ...options } = await flow(second);
  assert.equal(revision, 1);
  assert.deepEqual(optionsIn(options), { params: {}, limits: { queue: 5 }, threads: 2, record: "all" });
});
