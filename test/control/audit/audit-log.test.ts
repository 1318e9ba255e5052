/**
 * The files of the audit log: every changed byte is found, and the chain continues over rotation, restarts and crashes.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { type AuditEvent, auditLine } from "../../../src/control/audit/audit-line.ts";
import { AuditLog, type AuditOptions } from "../../../src/control/audit/audit-log.ts";
import { auditCommand, verifyAudit } from "../../../src/control/audit/verify-audit.ts";
import { answering } from "../../support/flows.ts";
import { startProcess } from "../../support/start-process.ts";

const event: AuditEvent = {
  ...{ actor: "01234567", address: "127.0.0.1", method: "PUT", path: "/_api/flows/ä", action: "flows.write" },
  ...{ resource: "ä", status: 200, code: null, before: null, after: "ab".repeat(32), durationMs: 1.5, requestId: "r" },
};

async function directoryOf(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-audit-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function opened(directory: string, options: Partial<AuditOptions> = {}): Promise<AuditLog> {
  const log = new AuditLog({
    ...{ directory, fileBytes: 1_000_000, files: 10, strict: false, onProblem: () => {} },
    ...options,
  });
  await log.open();
  return log;
}

async function written(directory: string, count: number, options: Partial<AuditOptions> = {}): Promise<void> {
  const log = await opened(directory, options);
  for (let i = 0; i < count; i++) log.note({ ...event, resource: `f${i}` }).catch(() => {});
  await log.close();
}

test("a changed byte and a removed, inserted or moved line are found at their place", async (t) => {
  const directory = await directoryOf(t);
  await written(directory, 6);
  const [name = ""] = await readdir(directory);
  const path = join(directory, name);
  const whole = await readFile(path);
  assert.equal((await verifyAudit(directory)).broken, undefined);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ change;
      await writeFile(path, bytes);
      const line = whole.subarray(0, at).toString().split("\n").length;
      const { broken } = await verifyAudit(directory);
      assert.ok(broken !== undefined, `byte ${at}`);
      assert.ok(broken.line <= line || broken.line === line + 1, `line ${line}, found in ${broken.line}`);
    }),
    { numRuns: 300 },
  );
  const lines = whole.toString().trimEnd().split("\n");
  for (const [changed, found] of [
    [lines.toSpliced(2, 1), 3],
    [lines.toSpliced(2, 0, lines[1] as string), 3],
    [lines.toSpliced(1, 2, lines[2] as string, lines[1] as string), 2],
    [lines.slice(1), 1],
  ] as const) {
    await writeFile(path, `${changed.join("\n")}\n`);
    assert.equal((await verifyAudit(directory)).broken?.line, found);
  }
  const { prev } = JSON.parse(lines[2] as string) as { prev: string };
  const forged = auditLine({ ...event, resource: "forged" }, "2026-01-01T00:00:00.000Z", { seq: 2, hash: prev }).text;
  await writeFile(path, `${lines.toSpliced(2, 1, forged.trimEnd()).join("\n")}\n`);
  const { broken: after } = await verifyAudit(directory);
  assert.deepEqual([after?.line, after?.why], [4, "the hash of the line before it is another one"]);
  await writeFile(path, `${lines.slice(0, 4).join("\n")}\n`);
  const { broken, last } = await verifyAudit(directory);
  assert.deepEqual(
    [broken, last?.seq],
    [undefined, 4],
    "an end that is missing is seen only by who knows the last hash",
  );
});

test("the chain continues over rotation and restarts, and the oldest files are deleted", async (t) => {
  const directory = await directoryOf(t);
  for (let start = 0; start < 3; start++) await written(directory, 40, { fileBytes: 4000, files: 5 });
  const { broken, files, first, last, lines } = await verifyAudit(directory);
  assert.deepEqual([broken, files, last?.seq], [undefined, 5, 120]);
  assert.equal(lines, 120 - (first ?? 0) + 1);
  for (const name of await readdir(directory)) assert.ok((await readFile(join(directory, name))).length <= 4000, name);
});

test("an unfinished line of a crash is recorded in a note, wherever the crash cut it off", async (t) => {
  const directory = await directoryOf(t);
  await written(directory, 3);
  const [name = ""] = await readdir(directory);
  const path = join(directory, name);
  const whole = await readFile(path);
  const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a).map((at) => at + 1);
  for (let bytes = 0; bytes <= whole.length; bytes += 29) {
    await writeFile(path, whole.subarray(0, bytes));
    await written(directory, 1);
    const { broken, lines } = await verifyAudit(directory);
    const complete = ends.filter((end) => end <= bytes).length;
    const torn = bytes > 0 && !ends.includes(bytes);
    assert.equal(broken, undefined, `cut at ${bytes}`);
    assert.equal(lines, complete + (torn ? 2 : 1), `cut at ${bytes}`);
    if (torn) assert.match(await readFile(path, "utf8"), /"action":"audit\.torn"/);
  }
});

test("a last line that was changed stays as it is, and the log continues in another file", async (t) => {
  const directory = await directoryOf(t);
  await written(directory, 2);
  const [name = ""] = await readdir(directory);
  await appendFile(join(directory, name), "something else\n");
  await written(directory, 1);
  const names = (await readdir(directory)).sort();
  assert.equal(names.length, 2);
  assert.match(await readFile(join(directory, names[1] as string), "utf8"), /"action":"audit\.restarted"/);
  assert.deepEqual((await verifyAudit(directory)).broken, {
    ...{ file: name, line: 3, why: "it is not a line of an audit log" },
  });
});

test("lines that arrive before the end of the chain is known, or while the disk is slow, keep their order", async (t) => {
  const directory = await directoryOf(t);
  await written(directory, 2);
  const log = new AuditLog({ directory, fileBytes: 100_000, files: 3, strict: true, onProblem: () => {} });
  await Promise.all(Array.from({ length: 50 }, (_, i) => log.note({ ...event, resource: `g${i}` })));
  const text = await readFile(join(directory, (await readdir(directory))[0] as string), "utf8");
  const resources = [...text.matchAll(/"resource":"(g\d+)"/g)].map(([, resource]) => resource);
  assert.deepEqual(
    resources,
    Array.from({ length: 50 }, (_, i) => `g${i}`),
  );
  await log.close();
  assert.equal((await verifyAudit(directory)).broken, undefined);
});

test("a killed process has recorded every change that it has answered, and the next one continues the chain", async (t) => {
  const data = await directoryOf(t);
  const env = {
    SERVICE_DEPLOY_TOKEN: "a-token-of-thirty-two-characters-and-more",
    DATA_DIR: data,
    ROUTES_DIR: join(data, "../", `routes-${process.pid}`),
  };
  t.after(() => rm(env.ROUTES_DIR, { recursive: true, force: true }));
  const put = (url: string, id: string): Promise<Response> =>
    fetch(`${url}/_api/flows/${id}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${env.SERVICE_DEPLOY_TOKEN}`, "Content-Type": "application/yaml" },
      body: answering(id, "a"),
    });
  const first = await startProcess(t, env);
  for (const id of ["a", "b", "c"]) assert.equal((await put(first.url, id)).status, 201);
  first.child.kill("SIGKILL");
  await first.exited;
  const [name = ""] = await readdir(join(data, "audit"));
  await truncate(join(data, "audit", name), (await readFile(join(data, "audit", name))).length - 5);
  const second = await startProcess(t, env);
  assert.equal((await put(second.url, "d")).status, 201);
  second.child.kill("SIGKILL");
  await second.exited;
  const said: string[] = [];
  assert.equal(await auditCommand([], { DATA_DIR: data }, (line) => said.push(line)), 0, said.join());
  const text = await readFile(join(data, "audit", name), "utf8");
  assert.deepEqual(
    text
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { resource: string | null }).resource),
    ["a", "b", null, "d"],
  );
  assert.match(text, /audit\.torn.*\\"resource\\":\\"c\\"/);
});

test("the command reports whether the log is whole, names the first broken line, and looks for a noted hash", async (t) => {
  const directory = await directoryOf(t);
  await written(directory, 3);
  const run = (...args: readonly string[]): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve) => {
      const root = fileURLToPath(new URL("../../../", import.meta.url));
      const child = spawn(process.execPath, ["bin/bulkhead.js", "audit", "verify", ...args], { cwd: root });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
      child.on("close", (code) => resolve({ code, output }));
    });
  const { last } = await verifyAudit(directory);
  const whole = await run(directory);
  assert.equal(whole.code, 0);
  assert.match(
    whole.output,
    new RegExp(`^whole: 3 lines in 1 files, from 1 to 3; the last has the hash ${last?.hash}`),
  );
  const say = (): void => {};
  assert.equal(await auditCommand([directory, last?.hash ?? ""], {}, say), 0);
  const [name = ""] = await readdir(directory);
  const text = await readFile(join(directory, name), "utf8");
  await writeFile(join(directory, name), text.split("\n").slice(0, 2).join("\n").concat("\n"));
  assert.equal(await auditCommand([directory, last?.hash ?? ""], {}, say), 1, "the noted line is gone");
  await writeFile(join(directory, name), text.replace('"status":200', '"status":201'));
  const broken = await run(directory);
  assert.deepEqual([broken.code, broken.output], [1, `broken: ${name}, line 1: its hash is not that of its content\n`]);
  assert.equal(await auditCommand([join(directory, "none")], {}, say), 2);
});

test("an entry among the log's files that is not a file is reported, blocks nothing, and the log continues when it is moved away", async (t) => {
  const kinds = [(path: string) => execFileSync("mkfifo", [path]), (path: string) => mkdirSync(path)];
  for (const make of [...kinds, (path: string) => symlinkSync("/dev/zero", path)]) {
    const directory = await directoryOf(t);
    await written(directory, 1);
    const path = join(directory, "audit-000000000002.jsonl");
    make(path);
    const said: string[] = [];
    const recovered = Promise.withResolvers<void>();
    const onProblem = (message: string): void => {
      said.push(message);
      if (said.length === 2) recovered.resolve();
    };
    const log = await opened(directory, { onProblem });
    const reason = "the audit log cannot be written: audit-000000000002.jsonl is not a regular file: move it away";
    assert.deepEqual([said, log.status()], [[reason], { writable: false, reason }]);
    await assert.rejects(log.note(event), { message: reason });
    assert.equal(await auditCommand([directory], {}, () => {}), 2);
    await rm(path, { recursive: true });
    await recovered.promise;
    await log.close();
    const { broken, lines } = await verifyAudit(directory);
    assert.deepEqual([broken, lines], [undefined, 2]);
  }
});
