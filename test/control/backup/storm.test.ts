/** A backup while everything changes: each resource as of one moment, and a runtime on the restored directories is the same. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyAudit } from "../../../src/control/audit/verify-audit.ts";
import { restoreBackup } from "../../../src/control/backup/restore.ts";
import { eventually } from "../../support/clock.ts";
import { startProcess } from "../../support/start-process.ts";
import { backup, call, environmentOf, json, newDirectory, put, restore } from "./support.ts";

const ids = ["a", "b", "c", "d"];

/** The number is in the text and in a param, which are kept in two files. */
function flow(id: string, n: number): object {
  const yaml = `- route: { id: ${id}, from: { uri: webhook, steps: [{ setBody: { constant: "text ${n} param {{n}}" } }] } }\n`;
  return { yaml, params: { n } };
}

const policy = (n: number) => ({
  auth: [{ type: "apiKey", keys: [{ principal: `p${n}`, sha256: hash("sha256", `key ${n}`) }] }],
});

/** Changes resources one after the other until it is stopped. Returns what was acknowledged of each. */
function storm(url: string, id: string, acknowledged: Map<string, number>) {
  let stopped = false;
  const run = async (): Promise<void> => {
    for (let n = 1; !stopped; n += 1) {
      for (const [path, document] of [
        [`/flows/${id}`, flow(id, n)],
        [`/value-mappings/${id}`, { entries: { n: String(n) } }],
        [`/auth/${id}`, policy(n)],
      ] as const) {
        const { status } = await put(url, path, document);
        assert.ok(status === 200 || status === 201, `${path}: ${status}`);
        acknowledged.set(path, n);
      }
      if (n % 3 === 0) {
        assert.equal((await call(url, `/flows/${id}?drainMs=0`, { method: "DELETE" })).status, 200);
        assert.equal((await call(url, `/value-mappings/${id}`, { method: "DELETE" })).status, 200);
      }
    }
  };
  const running = run();
  return async () => {
    stopped = true;
    await running;
  };
}

interface Kept {
  readonly revision: number;
  readonly hash: string;
  readonly yaml: string;
  readonly params: { readonly n: number };
}

/** Fails when a flow has parts of two deployments. Returns how many flows there are. */
function checkFlows(directory: string): number {
  const flows = join(directory, "data/flows");
  let found = 0;
  for (const id of readdirSync(flows)) {
    const read = (name: string): unknown => JSON.parse(readFileSync(join(flows, id, name), "utf8"));
    const head = read("head.json") as { revision: number; last: number; deleted: boolean };
    const file = join(directory, "routes", `${id}.yaml`);
    assert.equal(existsSync(file), !head.deleted, `${id}: the head and the file agree`);
    for (const name of readdirSync(join(flows, id)).filter((one) => one !== "head.json")) {
      const record = read(name) as Kept;
      assert.ok(record.revision <= head.last, `${id}: no revision beyond the head`);
      assert.equal(hash("sha256", record.yaml), record.hash);
      assert.ok(record.yaml.includes(`text ${record.params.n} `), `${id}: ${record.yaml}`);
    }
    if (head.deleted) continue;
    found += 1;
    assert.equal(readFileSync(file, "utf8"), (read(`${head.revision}.json`) as Kept).yaml, `${id}: of one deployment`);
  }
  return found;
}

test("backups during a storm of changes: each can be restored, has no half deployment and a whole audit log", async (t) => {
  const path = newDirectory(t);
  const { url, child, exited } = await startProcess(t, environmentOf(path));
  const acknowledged = new Map<string, number>();
  const storms = ids.map((id) => storm(url, id, acknowledged));
  await eventually(() => acknowledged.size === 3 * ids.length, "every resource has been changed", 60_000);
  const befores: ReadonlyMap<string, number>[] = [];
  for (let n = 0; n < 4; n += 1) {
    befores.push(new Map(acknowledged));
    await backup(url, join(path, `${n}.tar`));
  }
  await Promise.all(storms.map((stop) => stop()));
  child.kill("SIGTERM");
  assert.equal(await exited, 0);

  let flows = 0;
  let lines = 0;
  for (const [n, before] of befores.entries()) {
    const directory = join(path, `restored-${n}`);
    await restoreBackup({ archive: join(path, `${n}.tar`), directory, start: false });
    flows += checkFlows(directory);
    const { broken, lines: kept } = await verifyAudit(join(directory, "data/audit"));
    assert.equal(broken, undefined);
    assert.ok(kept > lines, "each has the lines that the one before had");
    lines = kept;
    for (const id of ids) {
      const [, text = ""] = readFileSync(join(directory, `data/policies/${id}.document`), "utf8").split("\n");
      const inBackup = Number(/"p(\d+)"/.exec(text)?.[1]);
      assert.ok(inBackup >= (before.get(`/auth/${id}`) ?? 1), "what was acknowledged before is in it");
    }
  }
  assert.ok(flows >= 4, `${flows} flows`);
});

test("a restored runtime has the same flows, revisions, mappings and policies, and goes on with the audit log", async (t) => {
  const path = newDirectory(t);
  const first = await startProcess(t, environmentOf(path));
  for (const id of ids) {
    await put(first.url, `/flows/${id}`, flow(id, 1));
    await put(first.url, `/flows/${id}`, flow(id, 2));
    await put(first.url, `/auth/${id}`, policy(1));
    await put(first.url, `/value-mappings/${id}`, { entries: { n: "1" } });
  }
  await call(first.url, "/flows/a", { method: "DELETE" });
  await call(first.url, "/value-mappings/a", { method: "DELETE" });
  await call(first.url, "/flows/b/stop", { method: "POST" });
  const all = async (url: string) => ({
    flows: await json<{ lastModified?: unknown }[]>(url, "/flows").then((list) =>
      list.map(({ lastModified: _, ...rest }) => rest),
    ),
    revisions: await Promise.all(ids.map((id) => json(url, `/flows/${id}/revisions?yaml=true`))),
    mappings: await json(url, "/value-mappings"),
    documents: await Promise.all(ids.map((id) => json(url, `/value-mappings/${id}`))),
    policies: await Promise.all(ids.map((id) => json(url, `/auth/${id}`))),
  });
  const wanted = await all(first.url);
  await backup(first.url, join(path, "backup.tar"));
  const { status, stdout } = restore(join(path, "backup.tar"), "--to", join(path, "restored"));
  assert.equal(status, 0);
  assert.match(stdout, /^restored: 3 flows, \d+ files, as of \S+, from Bulkhead /);

  const second = await startProcess(t, environmentOf(join(path, "restored")));
  await t.test("the same", async () => {
    const isReady = async () => (await fetch(`${second.url}/_api/health?probe=ready`)).status === 200;
    await eventually(isReady, "the boot is over", 30_000);
    assert.deepEqual(await all(second.url), wanted);
    // Numbers go on where they were.
    const again = (await (await put(second.url, "/value-mappings/a", { entries: { n: "2" } })).json()) as {
      revision: number;
    };
    assert.equal(again.revision, 2);
    assert.equal(
      ((await (await put(second.url, "/flows/a", flow("a", 3))).json()) as { revision: number }).revision,
      3,
    );
    const verdict = await verifyAudit(join(path, "restored/data/audit"));
    assert.equal(verdict.broken, undefined);
    assert.equal(verdict.first, 1);
  });
});
