/** Entries in a record's place that are not records: the next change sets them aside, and nothing waits for them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { answering } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { putMapping } from "../mappings/calls.ts";

/** Ways to replace a record by an entry that is not one. The linked file stays in the directory. */
const misplace: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  directory: async (path) => {
    await rm(path);
    await mkdir(path);
    await writeFile(join(path, "in it"), "");
  },
  link: async (path) => {
    await rename(path, `${path}-elsewhere`);
    await symlink(`${basename(path)}-elsewhere`, path);
  },
  fifo: async (path) => {
    await rm(path);
    execFileSync("mkfifo", [path]);
  },
  large: (path) => truncate(path, 3 * 1024 ** 3),
};

const codes = (to: string) => JSON.stringify({ entries: { a: to } });

async function listed(app: TestApp, path: string, id: string): Promise<{ readonly error?: string | null }> {
  const all = (await (await app.api(path)).json()) as { id: string; error?: string | null }[];
  return all.find((one) => one.id === id) ?? {};
}

async function setAside(directory: string, name: string): Promise<string[]> {
  return (await readdir(directory)).filter((other) => other.startsWith(`${name}.aside-`));
}

test("an entry in a record's place that is not a file is set aside, and a PUT repairs the flow or a DELETE removes it", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-misplaced-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const data = join(directory, "data");
  const kinds = Object.keys(misplace);
  const first = await startTestApp(t, { directory });
  for (const [kind, make] of Object.entries(misplace)) {
    assert.equal((await first.put(`head-${kind}`, answering(`head-${kind}`, "one"))).status, 201);
    for (const id of [`codes-${kind}`, `gone-${kind}`]) {
      assert.equal((await putMapping(first, "value", id, codes("one"))).status, 201);
      await make(join(data, "value-mappings", `${id}.document`));
    }
    await make(join(data, "flows", `head-${kind}`, "head.json"));
  }
  assert.equal((await first.put("record", answering("record", "one"))).status, 201);
  await misplace["directory"]?.(join(data, "flows", "record", "1.json"));
  await first.close();

  const app = await startTestApp(t, { directory });
  for (const id of ["record", ...kinds.map((kind) => `head-${kind}`)]) {
    assert.match(String((await listed(app, "/flows", id)).error), /damaged: deploy it again/, id);
    const answer = await app.put(id, answering(id, "two"));
    assert.equal(answer.status, 200, await answer.text());
    assert.equal(await (await app.post(`/api/${id}`)).text(), "two");
  }
  for (const kind of kinds) {
    const [id, gone] = [`codes-${kind}`, `gone-${kind}`];
    assert.match(String((await listed(app, "/value-mappings", id)).error), /damaged: send it again/, id);
    assert.equal((await putMapping(app, "value", id, codes("two"))).status, 200);
    assert.equal((await app.api(`/value-mappings/${gone}`, { method: "DELETE" })).status, 200);
    const heads = await setAside(join(data, "flows", `head-${kind}`), "head.json");
    const documents = join(data, "value-mappings");
    const both = [await setAside(documents, `${id}.document`), await setAside(documents, `${gone}.document`)];
    assert.deepEqual([heads.length, ...both.map(({ length }) => length)], [1, 1, 1], kind);
  }
  await app.close();

  const again = await startTestApp(t, { directory });
  for (const kind of kinds) {
    assert.equal(await (await again.post(`/api/head-${kind}`)).text(), "two");
    assert.equal(await (await again.api(`/value-mappings/codes-${kind}`)).text(), codes("two"));
    assert.equal((await again.api(`/value-mappings/gone-${kind}`)).status, 404);
  }
});
