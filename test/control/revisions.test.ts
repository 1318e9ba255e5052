/** Revisions and the way back to them (docs/api.md 3). */
import assert from "node:assert/strict";
import { mkdir, unlink, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { test } from "node:test";
import { type FsPort, nodeFs } from "../../src/control/stores/fs-port.ts";
import type { FlowStore } from "../../src/control/stores/stores.ts";
import { AppError } from "../../src/shared/errors.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

interface Revision {
  readonly revision: number;
  readonly hash: string;
  readonly savedAt: string;
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly current: boolean;
  readonly yaml?: string;
}

interface Put {
  readonly hash: string;
  readonly revision: number;
  readonly created: boolean;
  readonly changed: boolean;
  readonly restarted?: boolean;
  readonly plan?: unknown;
  readonly warnings: readonly { readonly code: string }[];
  readonly swap: { readonly drained?: number };
}

async function revisions(app: TestApp, query = ""): Promise<readonly Revision[]> {
  const answer = await app.api(`/flows/f/revisions${query}`);
  assert.equal(answer.status, 200);
  return (await answer.json()) as Revision[];
}

/** Number and whether it is the current one, newest first. */
async function numbers(app: TestApp): Promise<readonly (readonly [number, boolean])[]> {
  return (await revisions(app)).map(({ revision, current }) => [revision, current]);
}

function rollback(
  app: TestApp,
  revision: unknown,
  query = "",
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.api(`/flows/f/rollback${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ revision }),
  });
}

async function errorOf(answer: Response, status: number): Promise<string> {
  const { error } = (await answer.json()) as { error: string };
  assert.equal(answer.status, status, error);
  return error;
}

const said = async (app: TestApp): Promise<string> => (await app.post("/api/r")).text();

test("revisions are listed, newest first, with all that they were made of", async (t) => {
  const app = await startTestApp(t);
  const yaml = webhook("r", 'setBody: { constant: "{{n}}" }');
  for (let n = 1; n <= 3; n++) await app.put("f", yaml, { params: { n }, limits: { queue: n } });
  const list = await revisions(app);
  assert.deepEqual(
    list.map(({ revision, params, limits, current }) => [revision, params["n"], limits["queue"], current]),
    [3, 2, 1].map((n) => [n, n, n, n === 3]),
  );
  const { hash } = (await (await app.api("/flows/f")).json()) as Put;
  for (const one of list) {
    assert.deepEqual([one.hash, one.state, one.yaml], [hash, "started", undefined]);
    assert.equal(new Date(one.savedAt).toISOString(), one.savedAt);
  }
  assert.deepEqual([...new Set((await revisions(app, "?yaml=true")).map((one) => one.yaml))], [yaml]);
  assert.equal((await app.api("/flows/f/revisions?yaml=yes")).status, 400);
  assert.match(await errorOf(await app.api("/flows/nobody/revisions"), 404), /'nobody'/);
});

test("a rollback makes a new revision of an old one, with its params and limits, and lasts", async (t) => {
  const app = await startTestApp(t);
  const yaml = webhook("r", 'setBody: { constant: "{{text:none}} {{more:}}" }');
  await app.put("f", yaml, { params: { text: "one" }, limits: { queue: 5 } });
  await app.put("f", yaml, { params: { more: "two" }, limits: null });
  assert.equal(await said(app), "none two");
  const answer = await rollback(app, 1);
  assert.equal(answer.status, 200);
  const put = (await answer.json()) as Put;
  assert.deepEqual([put.revision, put.created, put.changed], [3, false, true]);
  assert.equal(answer.headers.get("etag"), `"${put.hash}.3"`);
  assert.deepEqual(
    put.warnings.map(({ code }) => code),
    ["params_lost"],
  );
  assert.equal(await said(app), "one");
  await app.close();

  const second = await startTestApp(t, { directory: app.directory });
  assert.equal(await said(second), "one");
  const { params, limits } = (await (await second.api("/flows/f")).json()) as Revision;
  assert.deepEqual([params, limits], [{ text: "one" }, { queue: 5 }]);
  assert.deepEqual(await numbers(second), [
    [3, true],
    [2, false],
    [1, false],
  ]);
});

test("a rollback to what is there changes nothing, and starts what is stopped", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  const same = (await (await rollback(app, 1)).json()) as Put;
  assert.deepEqual([same.revision, same.changed, same.restarted], [1, false, undefined]);
  await app.api("/flows/f/stop", { method: "POST" });
  assert.deepEqual(
    (await revisions(app)).map(({ state, current }) => [state, current]),
    [["stopped", true]],
  );
  const started = (await (await rollback(app, 1)).json()) as Put;
  assert.deepEqual([started.revision, started.changed, started.restarted], [1, false, true]);
  assert.equal(await said(app), "one");
});

test("a rollback takes a file that was edited by hand back", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  await writeFile(join(app.routesDirectory, "f.yaml"), answering("r", "by hand"));
  assert.deepEqual(await numbers(app), [[1, true]]);
  assert.equal(((await (await rollback(app, 1)).json()) as Put).revision, 2);
  assert.equal(((await (await app.api("/flows/f")).json()) as { state: string }).state, "Started");
});

test("a rollback obeys If-Match, dryRun and drainMs as a PUT does", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  await app.put("f", answering("s", "two"));
  const etag = (await app.api("/flows/f")).headers.get("etag") ?? "";
  assert.equal((await rollback(app, 1, "", { "If-Match": '"other"' })).status, 412);
  assert.equal((await rollback(app, 1, "", { "If-None-Match": "*" })).status, 412);
  const dry = (await (await rollback(app, 1, "?dryRun=true")).json()) as Put;
  assert.deepEqual(dry.plan, { start: ["r"], stop: ["s"], unchanged: [] });
  assert.equal((await app.post("/api/r")).status, 404);
  const put = (await (await rollback(app, 1, "?drainMs=1000", { "If-Match": etag })).json()) as Put;
  assert.equal(put.swap.drained, 0);
  assert.equal((await rollback(app, 2, "", { "If-Match": etag })).status, 412);
});

test("a revision that there is not is named with those that there are", async (t) => {
  const app = await startTestApp(t);
  assert.match(await errorOf(await rollback(app, 1), 404), /no revision 1 of the flow 'f': no revision of it is kept/);
  for (const text of ["one", "two"]) await app.put("f", answering("r", text));
  assert.match(await errorOf(await rollback(app, 9), 404), /no revision 9 of the flow 'f': kept are 2, 1$/);
  for (const revision of [undefined, "1", 0, -1, 1.5, 1e300, null, [1]]) {
    assert.match(await errorOf(await rollback(app, revision), 400), /revision/, String(revision));
  }
  assert.equal(await said(app), "two");
});

test("a rollback that cannot be deployed leaves what is there", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  await app.put("f", answering("s", "two"));
  await app.put("g", answering("r", "another's"));
  assert.match(await errorOf(await rollback(app, 1), 409), /'r' belongs to flow 'g'/);
  assert.equal(await (await app.post("/api/s")).text(), "two");
  assert.equal((await revisions(app))[0]?.revision, 2);
});

test("a deleted flow's revisions stay, and a rollback brings it back", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"), { params: { a: 1 } });
  await app.api("/flows/f", { method: "DELETE" });
  assert.deepEqual(await numbers(app), [[1, false]]);
  assert.equal((await rollback(app, 1, "", { "If-Match": "*" })).status, 412);
  const back = await rollback(app, 1);
  assert.deepEqual([back.status, back.headers.get("location")], [201, "/_api/flows/f"]);
  const put = (await back.json()) as Put;
  assert.deepEqual([put.created, put.revision], [true, 2]);
  assert.equal(await said(app), "one");
  assert.deepEqual(((await (await app.api("/flows/f")).json()) as Revision).params, { a: 1 });
});

test("a purge forgets the revisions, also later on; numbers go on", async (t) => {
  const app = await startTestApp(t);
  const purge = (): Promise<Response> => app.api("/flows/f?purge=true", { method: "DELETE" });
  await app.put("f", answering("r", "one"));
  assert.equal((await purge()).status, 200);
  assert.equal((await app.api("/flows/f/revisions")).status, 404);
  await errorOf(await rollback(app, 1), 404);
  await errorOf(await purge(), 404);
  assert.equal(((await (await app.put("f", answering("r", "two"))).json()) as Put).revision, 2);
  await app.api("/flows/f", { method: "DELETE" });
  assert.equal((await purge()).status, 200);
  assert.equal((await app.api("/flows/f/revisions")).status, 404);
  // Of a file that was never deployed there is nothing to forget.
  await writeFile(join(app.routesDirectory, "g.yaml"), answering("g", "x"));
  assert.deepEqual(await (await app.api("/flows/g/revisions")).json(), []);
  assert.equal((await app.api("/flows/g?purge=true", { method: "DELETE" })).status, 200);
});

test("a purge that fails half-way says what it has done, and works when it is sent again", async (t) => {
  let fails = true;
  const wrapStore = (store: FlowStore): FlowStore =>
    new Proxy(store, {
      get(target, name) {
        if (name === "remove" && fails) {
          return (id: string, options: { purge?: boolean } = {}) =>
            options.purge === true
              ? Promise.reject(new AppError("disk_full", "the disk is full"))
              : target.remove(id, options);
        }
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  const app = await startTestApp(t, { wrapStore });
  await app.put("f", answering("r", "one"));
  const half = await app.api("/flows/f?purge=true", { method: "DELETE" });
  const message = await errorOf(half, 507);
  assert.match(message, /'f' is deleted, but its revisions are still kept.*purge=true again: the disk is full/);
  assert.equal((await app.post("/api/r")).status, 404);
  assert.equal((await app.api("/flows/f")).status, 404);
  assert.deepEqual(await numbers(app), [[1, false]]);
  assert.equal(await errorOf(await app.api("/flows/f?purge=true", { method: "DELETE" }), 507), "the disk is full");
  fails = false;
  assert.equal((await app.api("/flows/f?purge=true", { method: "DELETE" })).status, 200);
  assert.equal((await app.api("/flows/f/revisions")).status, 404);
});

test("a PUT that cannot be kept leaves the old flow as it was, and the next one works", async (t) => {
  let broken = false;
  const create: FsPort["create"] = (path, mode) =>
    broken && path.includes(`${sep}flows${sep}f${sep}`)
      ? Promise.reject(Object.assign(new Error("EIO: i/o error"), { code: "EIO" }))
      : nodeFs.create(path, mode);
  const app = await startTestApp(t, { fs: { ...nodeFs, create } });
  await app.put("f", answering("r", "one"));
  broken = true;
  assert.match(await errorOf(await app.put("f", answering("r", "two")), 500), /what was stored before is intact/);
  assert.equal(await said(app), "one");
  assert.equal(((await (await app.api("/flows/f")).json()) as Revision).yaml, answering("r", "one"));
  assert.equal(((await (await app.put("other", answering("o", "x"))).json()) as Put).revision, 1);
  broken = false;
  assert.equal(((await (await app.put("f", answering("r", "two"))).json()) as Put).revision, 2);
  assert.equal(await said(app), "two");
});

test("a stop of a file that was never loaded keeps it from running, over a restart too; a start runs it", async (t) => {
  const app = await startTestApp(t);
  await writeFile(join(app.routesDirectory, "f.yaml"), answering("r", "by hand"));
  const stopped = await app.api("/flows/f/stop", { method: "POST" });
  assert.equal(stopped.status, 200);
  assert.equal(((await stopped.json()) as { state: string }).state, "Stopped");
  assert.equal((await app.api("/flows/nobody/stop", { method: "POST" })).status, 404);
  await app.close();
  const second = await startTestApp(t, { directory: app.directory });
  assert.equal((await second.post("/api/r")).status, 503);
  assert.equal((await second.api("/flows/f/start", { method: "POST" })).status, 200);
  assert.equal(await said(second), "by hand");
});

test("a flow whose file is gone or broken goes on, can be stopped, and says what to do", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  const file = join(app.routesDirectory, "f.yaml");
  await writeFile(file, "");
  const [listed] = (await (await app.api("/flows")).json()) as { state: string; error: string }[];
  assert.deepEqual([listed?.state, listed?.error], ["Changed", "it is empty"]);
  assert.equal(await said(app), "one");
  await unlink(file);
  for (const call of ["stop", "reload"]) {
    const message = await errorOf(await app.api(`/flows/f/${call}`, { method: "POST" }), 404);
    assert.match(message, /f\.yaml is gone, and the flow still runs.*bulkhead delete flows f/);
  }
  await mkdir(file);
  assert.equal((await app.api("/flows/f/stop", { method: "POST" })).status, 200);
  assert.equal((await app.post("/api/r")).status, 503);
});
