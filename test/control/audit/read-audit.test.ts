/** `GET /_api/audit` of a whole runtime: order, pages, filters, and what a damaged log does to it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AuditFs, nodeAuditFs } from "../../../src/control/audit/audit-files.ts";
import type { AuditEntry, AuditEvent } from "../../../src/control/audit/audit-line.ts";
import { AuditLog } from "../../../src/control/audit/audit-log.ts";
import type { AuditPage } from "../../../src/control/audit/read-audit.ts";
import { answering, webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

async function read(app: TestApp, query = ""): Promise<AuditPage> {
  const answer = await app.api(`/audit${query}`);
  assert.equal(answer.status, 200, query);
  return (await answer.json()) as AuditPage;
}

/** The lines as the files have them, the first one first. */
async function written({ auditDirectory }: Pick<TestApp, "auditDirectory">): Promise<readonly AuditEntry[]> {
  const names = (await readdir(auditDirectory)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(auditDirectory, name), "utf8")));
  return texts.flatMap((text) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditEntry),
  );
}

/** Writes lines into the log of a runtime that is not yet there. @returns its directory */
async function prepared(t: TestContext, count: number, fileBytes: number, files = 100): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-audit-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const log = new AuditLog({
    ...{ directory: join(directory, "data/audit"), fileBytes, files, strict: false, onProblem: () => {} },
  });
  await log.open();
  for (let at = 0; at < count; at += 5000) {
    const some = Array.from({ length: Math.min(5000, count - at) }, (_, index) =>
      log.note(event(`f${at + index + 1}`)),
    );
    await Promise.all(some);
  }
  await log.close();
  return directory;
}

function event(resource: string): AuditEvent {
  return {
    ...{ actor: "01234567", address: "127.0.0.1", method: "PUT", path: `/_api/flows/${resource}` },
    ...{ action: "flows.write", resource, status: 200, code: null, before: null, after: "ab".repeat(32) },
    ...{ durationMs: 1.5, requestId: "r" },
  };
}

test("pages go from the newest line to the oldest one that is kept, over rotated files, each line as it was written", async (t) => {
  const directory = await prepared(t, 120, 4000, 5);
  const app = await startTestApp(t, { directory, audit: {} });
  const lines = await written(app);
  assert.ok((await readdir(app.auditDirectory)).length === 5 && (lines[0]?.seq ?? 0) > 1);
  const found: AuditEntry[] = [];
  let pages = 0;
  for (let before: number | null = 1_000_000; before !== null; pages += 1) {
    const page: AuditPage = await read(app, `?limit=7&before=${before}`);
    assert.deepEqual(page.problems, []);
    assert.ok(page.entries.length === 7 || page.next === null);
    found.push(...page.entries);
    before = page.next;
  }
  assert.deepEqual(found, lines.toReversed());
  assert.equal(pages, Math.ceil(lines.length / 7));
  assert.deepEqual(await read(app, `?before=${lines[0]?.seq}`), { entries: [], next: null, problems: [] });
});

test("a change is among the lines as soon as it is answered, and reading records nothing", async (t) => {
  const app = await startTestApp(t, { audit: {} });
  assert.deepEqual(await read(app), { entries: [], next: null, problems: [] });
  for (let number = 1; number <= 5; number += 1) {
    await app.put("f", answering("r", `text ${number}`));
    const { entries } = await read(app, "?limit=1");
    assert.deepEqual([entries[0]?.seq, entries[0]?.resource], [number, "f"]);
  }
});

test("lines are found by action, resource, outcome and time", async (t) => {
  const app = await startTestApp(t, { audit: {} });
  await app.put("orders", webhook("r", "idempotentConsumer: { id: seen, header: id, steps: [] }"));
  await app.put("orders2", "- nonsense");
  await app.api("/flows/orders/state/seen", { method: "DELETE" });
  await app.api("/auth/orders", { method: "DELETE" });
  await fetch(`${app.url}/_api/flows`);
  const all = (await read(app)).entries;
  const actions = ["refused", "policies.write", "state.write", "flows.write", "flows.write"];
  assert.deepEqual(
    all.map(({ action }) => action),
    actions,
  );
  const seqs = async (query: string): Promise<readonly number[]> =>
    (await read(app, query)).entries.map(({ seq }) => seq);
  assert.deepEqual(await seqs("?resource=orders"), [4, 3, 1]);
  assert.deepEqual(await seqs("?resource=orders2"), [2]);
  assert.deepEqual(await seqs("?action=flows.write"), [2, 1]);
  assert.deepEqual(await seqs("?outcome=failed"), [5, 4, 2]);
  assert.deepEqual(await seqs("?outcome=succeeded&resource=orders"), [3, 1]);
  assert.deepEqual(await seqs("?action=flows.write&outcome=failed&limit=1"), [2]);
  assert.deepEqual(
    await seqs(`?since=${all[1]?.at}`),
    all.filter(({ at }) => at >= (all[1]?.at ?? "")).map(({ seq }) => seq),
  );
  assert.deepEqual(await seqs("?since=2999-01-01T00:00:00Z"), []);
  for (const wrong of ["?action=flows", "?outcome=ok", "?before=x", "?since=15m", "?limit=0", "?flowId=orders"])
    assert.equal((await app.api(`/audit${wrong}`)).status, 400, wrong);
});

test("a line that is not whole yet is not shown, and one that was changed is reported", async (t) => {
  const directory = await prepared(t, 6, 1_000_000);
  const app = await startTestApp(t, { directory, audit: {} });
  const [name = ""] = await readdir(app.auditDirectory);
  const path = join(app.auditDirectory, name);
  await appendFile(path, '{"seq":7,"at":"20');
  assert.deepEqual(
    (await read(app)).entries.map(({ seq }) => seq),
    [6, 5, 4, 3, 2, 1],
  );
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"resource":"f4"', '"resource":"f9"'));
  const { entries, problems, next } = await read(app);
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    [6, 5, 3, 2, 1],
  );
  assert.equal(next, null);
  assert.deepEqual(problems, [
    `${name}, the line before line 5: its hash is not that of its content`,
    "the chain is broken between line 3 and line 5",
  ]);
});

test("what is no file in the place of one is reported, and the lines of the others are shown", async (t) => {
  for (const make of [(path: string) => void execFileSync("mkfifo", [path]), (path: string) => mkdir(path)]) {
    const directory = await prepared(t, 40, 4000);
    const app = await startTestApp(t, { directory, audit: {} });
    const names = (await readdir(app.auditDirectory)).sort();
    assert.ok(names.length > 3);
    const lost = names[1] ?? "";
    await rm(join(app.auditDirectory, lost));
    await make(join(app.auditDirectory, lost));
    await make(join(app.auditDirectory, "audit-000000000900.jsonl"));
    const { entries, problems, next } = await read(app, "?limit=500");
    assert.deepEqual(problems, [
      "audit-000000000900.jsonl is not a regular file: move it away",
      `${lost} is not a regular file: move it away`,
    ]);
    assert.deepEqual([entries[0]?.seq, entries.at(-1)?.seq, next], [40, 1, null]);
  }
});

/** Counts what is read of the log's files. */
function counting(): { readonly fs: AuditFs; bytes: number } {
  const counted = {
    bytes: 0,
    fs: {
      ...nodeAuditFs,
      async openToRead(path: string) {
        const file = await nodeAuditFs.openToRead(path);
        const plain = file.read.bind(file) as (...given: unknown[]) => Promise<{ bytesRead: number }>;
        file.read = (async (...given: unknown[]) => {
          const done = await plain(...given);
          counted.bytes += done.bytesRead;
          return done;
        }) as typeof file.read;
        return file;
      },
    } satisfies AuditFs,
  };
  return counted;
}

test("a page of a long log is read in a few blocks, and a search in it in bounded parts", async (t) => {
  const directory = await prepared(t, 30_000, 100_000_000);
  const counted = counting();
  const app = await startTestApp(t, { directory, audit: { fs: counted.fs } });
  for (const before of [30_001, 15_000, 11]) {
    counted.bytes = 0;
    const { entries } = await read(app, `?limit=10&before=${before}`);
    assert.deepEqual([entries[0]?.seq, entries.at(-1)?.seq], [before - 1, before - 10]);
    assert.ok(counted.bytes < 2_000_000, `${counted.bytes} bytes before ${before}`);
  }
  let parts = 0;
  let found: readonly AuditEntry[] = [];
  for (let before: number | null = 30_001; before !== null; parts += 1) {
    counted.bytes = 0;
    const page: AuditPage = await read(app, `?resource=f1&before=${before}`);
    assert.ok(counted.bytes < 10_000_000, `${counted.bytes} bytes`);
    assert.ok(page.next === null || page.next < before);
    found = [...found, ...page.entries];
    before = page.next;
  }
  assert.ok(parts > 1);
  assert.deepEqual(
    found.map(({ seq }) => seq),
    [1],
  );
});
