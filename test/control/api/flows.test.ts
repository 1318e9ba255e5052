/** `/_api/flows`: how lists and flows are represented, how a document is read, and what a call leaves of it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { answering } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { assertError, send } from "./calls.ts";

interface Put {
  readonly plan?: unknown;
  readonly created: boolean;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

interface Validation {
  readonly valid: boolean;
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}

interface Flow {
  readonly yaml: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, unknown>>;
}

test("the management of flows", async (t) => {
  const yaml = `${answering("order-in", "x")}# ä\n`;
  const app = await startTestApp(t, { files: { "orders.yaml": yaml, "A.yaml": answering("a", "x") } });
  const flow = async (id: string): Promise<Flow> => (await (await send(app, "GET", `/flows/${id}`)).json()) as Flow;

  await t.test("lists them by id, with an ETag of the content", async () => {
    const list = await send(app, "GET", "/flows");
    const ids = ((await list.json()) as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids, ["A", "orders"]);
    const tag = list.headers.get("etag") ?? "";
    assert.match(tag, /^"[0-9a-f]{64}"$/);
    for (const sent of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const again = await send(app, "GET", "/flows", { headers: { "If-None-Match": sent } });
      assert.deepEqual([again.status, again.headers.get("etag"), await again.text()], [304, tag, ""], sent);
    }
    assert.equal((await send(app, "GET", "/flows", { headers: { "If-None-Match": '"x"' } })).status, 200);
    const head = await send(app, "HEAD", "/flows");
    assert.deepEqual([head.status, await head.text()], [200, ""]);
  });

  await t.test("returns the file of a flow to a caller that accepts YAML", async () => {
    for (const accept of [
      "application/yaml",
      "application/yaml, */*;q=0.1",
      "application/json;q=0.5, application/yaml",
    ]) {
      const answer = await send(app, "GET", "/flows/orders", { headers: { Accept: accept } });
      assert.deepEqual([answer.headers.get("content-type"), await answer.text()], ["application/yaml", yaml], accept);
    }
    for (const accept of [
      "*/*",
      "application/json",
      "application/yaml;q=0",
      "application/json, application/yaml;q=0.9",
    ]) {
      const answer = await send(app, "GET", "/flows/orders", { headers: { Accept: accept } });
      assert.match(answer.headers.get("content-type") ?? "", /json/, accept);
      assert.equal(answer.headers.get("vary"), "Accept");
      const { hash } = (await answer.json()) as { hash: string };
      assert.equal(answer.headers.get("etag"), `"${hash}.1"`);
    }
  });

  const made = answering("made", "x");

  await t.test("answers a dry run with the plan, without a tag or a place", async () => {
    const dry = await send(app, "PUT", "/flows/new?dryRun=true", { body: { yaml: made } });
    assert.deepEqual([dry.status, dry.headers.get("etag"), dry.headers.get("location")], [200, null, null]);
    const { created, plan } = (await dry.json()) as Put;
    assert.deepEqual([created, plan], [true, { start: ["made"], stop: [], unchanged: [] }]);
    await assertError(await send(app, "GET", "/flows/new"), 404, "not_found");
  });

  await t.test("answers a PUT with tag and place, treats null as absent, and warns of unknown fields", async () => {
    const body = { yaml: made, params: null, limits: null, auth: {} };
    const put = await send(app, "PUT", "/flows/new?drainMs=5&dryRun=false", { body });
    assert.deepEqual([put.status, put.headers.get("location")], [201, "/_api/flows/new"]);
    assert.match(put.headers.get("etag") ?? "", /^"[0-9a-f]{64}\.1"$/);
    const { warnings, created } = (await put.json()) as Put;
    assert.deepEqual([created, warnings.map(({ code }) => code)], [true, ["unknown_field"]]);
    assert.match(warnings[0]?.message ?? "", /'auth'.*no effect.*yaml, params, limits/);
    const { params, limits } = await flow("new");
    assert.deepEqual([params, limits], [{}, {}]);
  });

  await t.test("keeps a param of any name with every digit of its value, and refuses a limit beyond 2^53", async () => {
    const put = (fields: string): Promise<Response> =>
      send(app, "PUT", "/flows/new", { body: `{"yaml":${JSON.stringify(made)},${fields}}` });
    assert.equal((await put('"params":{"constructor":"c","a":9007199254740993}')).status, 200);
    assert.deepEqual((await flow("new")).params, { constructor: "c", a: "9007199254740993" });
    const message = await assertError(await put('"limits":{"threads":9007199254740992}'), 422, "limit_not_allowed");
    assert.match(message, /threads/);
  });

  await t.test("keeps YAML byte for byte", async () => {
    const text = `\ufeff${answering("bytes", "x")}# é\r\n`;
    for (const type of ["application/yaml", "application/yaml; charset=UTF-8", "text/x-yaml"]) {
      const put = await send(app, "PUT", "/flows/bytes", { body: text, headers: { "Content-Type": type } });
      assert.ok(put.ok, type);
      assert.equal(((await put.json()) as Put).created, type === "application/yaml", "the same text changes nothing");
    }
    assert.equal(await readFile(join(app.routesDirectory, "bytes.yaml"), "utf8"), text);
  });

  await t.test("tells of unknown fields of a validation and of a rollback", async () => {
    const body = { yaml: made, params: null, parms: {}, auth: {} };
    const validated = await send(app, "POST", "/flows/new/validate", { body });
    const { valid, diagnostics } = (await validated.json()) as Validation;
    assert.deepEqual(
      [valid, diagnostics.map(({ code, severity }) => [code, severity])],
      [
        false,
        [
          ["unknown_field", "error"],
          ["unknown_field", "warning"],
        ],
      ],
    );
    const back = await send(app, "POST", "/flows/new/rollback?dryRun=true", { body: { revision: 1, why: "because" } });
    const { warnings } = (await back.json()) as Put;
    assert.match(warnings[0]?.message ?? "", /'why'.*revision/);
  });

  await t.test("ignores a body where none is expected, and deletes what If-Match names", async () => {
    assert.equal((await send(app, "POST", "/flows/orders/stop", { body: {} })).status, 200);
    const remove = (tag: string): Promise<Response> =>
      send(app, "DELETE", "/flows/orders?purge=true", { headers: { "If-Match": tag } });
    await assertError(await remove('"x"'), 412, "precondition_failed");
    assert.deepEqual(await (await remove("*")).json(), { id: "orders", deleted: true, draining: 0 });
  });
});

test("an unforeseen error is answered without details, and logged", async (t) => {
  const failure = new TypeError("ENOENT /etc/secret");
  const app = await startTestApp(t, {
    files: { "f.yaml": answering("r", "x") },
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          if (name === "read") return () => Promise.reject(failure);
          const member: unknown = Reflect.get(target, name);
          return typeof member === "function" ? member.bind(target) : member;
        },
      }),
  });
  const message = await assertError(await send(app, "GET", "/flows/f"), 500, "internal");
  assert.doesNotMatch(message, /secret|ENOENT/);
  const logged = app.logs.filter(({ level, message }) => level === "ERROR" && message.includes("ENOENT /etc/secret"));
  assert.equal(logged.length, 1);
});
