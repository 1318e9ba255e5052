/** Entries in the place of a flow's revisions that are not directories: the flow is reported, and a PUT repairs it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { lstat, mkdtemp, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { answering } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { hookedFs, systemError } from "./hooked-fs.ts";

const inTheWay: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  file: (path) => writeFile(path, "text"),
  fifo: async (path) => execFileSync("mkfifo", [path]),
  dangling: (path) => symlink("nothing", path),
  circle: (path) => symlink(basename(path), path),
  "link-to-file": (path) => symlink("../../routes/link-to-file.yaml", path),
};

/** A directory in which such an entry has replaced the revisions of each flow. */
async function misplaced(t: TestContext, kinds: readonly string[]): Promise<{ directory: string; flows: string }> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-misplaced-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const flows = join(directory, "data", "flows");
  const app = await startTestApp(t, { directory });
  for (const kind of kinds) {
    assert.equal((await app.put(kind, answering(kind, "one"))).status, 201);
    await rm(join(flows, kind), { recursive: true });
    await inTheWay[kind]?.(join(flows, kind));
  }
  await app.close();
  return { directory, flows };
}

async function failedFiles(app: TestApp): Promise<Map<string, string>> {
  const health = (await (await app.api("/health")).json()) as { failedFiles: { file: string; reason: string }[] };
  return new Map(health.failedFiles.map(({ file, reason }) => [file, reason]));
}

async function setAside(path: string): Promise<string[]> {
  return (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}.aside-`));
}

test("an entry in the place of a flow's revisions that is not a directory is reported, and a PUT sets it aside and repairs the flow", async (t) => {
  const kinds = Object.keys(inTheWay);
  const { directory, flows } = await misplaced(t, kinds);
  const app = await startTestApp(t, { directory });
  const failed = await failedFiles(app);
  for (const kind of kinds) {
    assert.match(failed.get(`${kind}.yaml`) ?? "", /its revisions in the data directory are damaged: deploy it again/);
    const answer = await app.put(kind, answering(kind, "two"));
    assert.equal(answer.status, 200, `${kind}: ${await answer.text()}`);
    assert.equal(await (await app.post(`/api/${kind}`)).text(), "two");
    assert.equal((await setAside(join(flows, kind))).length, 1, kind);
  }
  const [aside = ""] = await setAside(join(flows, "dangling"));
  assert.equal(await readlink(join(flows, aside)), "nothing");
  assert.equal((await failedFiles(app)).size, 0);
  await app.close();

  const again = await startTestApp(t, { directory });
  assert.equal((await failedFiles(again)).size, 0);
  for (const kind of kinds) assert.equal(await (await again.post(`/api/${kind}`)).text(), "two");
});

test("a DELETE removes a flow whose revisions' place is taken by something else", async (t) => {
  const { directory } = await misplaced(t, ["file"]);
  const app = await startTestApp(t, { directory });
  assert.equal((await app.api("/flows/file", { method: "DELETE" })).status, 200);
  assert.equal((await app.put("file", answering("file", "two"))).status, 201);
});

test("a PUT that fails leaves the entry in its place", async (t) => {
  const { directory, flows } = await misplaced(t, ["file"]);
  let full = true;
  const before = (point: string): void => {
    if (full && point === "yaml.rename") throw systemError("ENOSPC");
  };
  const app = await startTestApp(t, { directory, fs: hookedFs({ before }) });
  assert.equal((await app.put("file", answering("file", "two"))).status, 507);
  assert.equal((await lstat(join(flows, "file"))).isFile(), true);
  assert.match((await failedFiles(app)).get("file.yaml") ?? "", /damaged/);
  full = false;
  assert.equal((await app.put("file", answering("file", "two"))).status, 200);
});
