/** `GET /_api/backup`: who gets it, what is recorded, what it leaves out, and what becomes of one that nobody reads. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { unpackArchive } from "../../../src/control/backup/archive.ts";
import { eventually } from "../../support/clock.ts";
import { answering } from "../../support/flows.ts";
import { startTestApp, type TestApp, token } from "../../support/start-app.ts";

interface Line {
  readonly action: string;
  readonly status: number;
  readonly code: string | null;
  readonly actor: string;
}

async function backupLines({ auditDirectory }: TestApp): Promise<readonly Line[]> {
  const texts = await Promise.all(
    (await readdir(auditDirectory)).map((name) => readFile(join(auditDirectory, name), "utf8")),
  );
  const lines = texts
    .join("")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Line).filter(({ action }) => action === "runtime.backup");
}

async function filesOf(app: TestApp): Promise<ReadonlyMap<string, string>> {
  const { body } = await app.api("/backup");
  return filesIn(body as ReadableStream<Uint8Array>);
}

function archived(response: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  return filesIn(Readable.toWeb(response) as ReadableStream<Uint8Array>);
}

async function filesIn(archive: ReadableStream<Uint8Array>): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, body: content } of unpackArchive(archive)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    files.set(path, Buffer.concat(chunks).toString());
  }
  return files;
}

test("only the token gets it, and each one is a line of the audit log before its first byte is sent", async (t) => {
  const app = await startTestApp(t, { audit: { strict: true } });
  for (const headers of [{}, { Authorization: "Bearer wrong" }])
    assert.equal((await fetch(`${app.url}/_api/backup`, { headers })).status, 401);
  assert.deepEqual(await backupLines(app), []);
  const answer = await app.api("/backup");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/x-tar");
  assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="bulkhead-backup-\S+Z\.tar"$/);
  const [line, ...more] = await backupLines(app);
  assert.deepEqual([line?.status, line?.code, more], [200, null, []]);
  await answer.arrayBuffer();
  assert.equal((await app.api("/backup", { method: "HEAD" })).status, 405);
});

test("a call whose line cannot be written gets nothing, and the next one is served", async (t) => {
  let broken = false;
  const { nodeAuditFs } = await import("../../../src/control/audit/audit-files.ts");
  const fs = {
    ...nodeAuditFs,
    async open(path: string) {
      const file = await nodeAuditFs.open(path);
      const sync = (): Promise<void> => (broken ? Promise.reject(new Error("EIO")) : file.sync());
      return {
        ...file,
        append: (content: Uint8Array) => file.append(content),
        truncate: (bytes: number) => file.truncate(bytes),
        sync,
        close: () => file.close(),
      };
    },
  };
  const app = await startTestApp(t, { audit: { strict: true, fs } });
  await (await app.api("/backup")).arrayBuffer();
  broken = true;
  const refused = await app.api("/backup");
  assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [500, "audit_failed"]);
  broken = false;
  await eventually(async () => (await app.api("/backup")).status === 200, "the log is written again");
});

test("secrets, caches, locks, files of flows and what is none of the runtime's are not in it; the log has what was left out", async (t) => {
  const app = await startTestApp(t, {
    files: { "orders.yaml": answering("orders", "yes"), "legacy.yml": "x" },
    secrets: { "orders/KEY": "the-secret" },
    audit: {},
  });
  await app.put("greet", answering("greet", "hi"), { params: { city: "Oslo" } });
  await app.api("/auth/greet", {
    method: "PUT",
    body: '{"auth": [{"type": "open"}]}',
    headers: { "Content-Type": "application/json" },
  });
  await mkdir(join(app.directory, "files/orders"), { recursive: true });
  await writeFile(join(app.directory, "files/orders/in.csv"), "the file");
  await writeFile(join(app.directory, "data/flows/greet/.1.json.0123456789ab.tmp"), "torn");
  const files = await filesOf(app);
  const names = [...files.keys()];
  assert.deepEqual([names[0], names.at(-1)], ["backup.json", "manifest.json"]);
  assert.deepEqual(names.slice(1, -1).sort(), [
    "data/audit/audit-000000000001.jsonl",
    ...["data/flows/greet/1.json", "data/flows/greet/head.json"],
    ...["data/flows/orders/1.json", "data/flows/orders/head.json"],
    "data/policies/greet.document",
    ...["routes/greet.yaml", "routes/orders.yaml"],
  ]);
  const all = [...files.values()].join("");
  assert.ok(!all.includes("the-secret") && !all.includes(token) && !all.includes("the file"));
  const { leftOut } = JSON.parse(files.get("manifest.json") ?? "") as { leftOut: { name: string }[] };
  assert.deepEqual(
    leftOut.map(({ name }) => name),
    ["routes/legacy.yml"],
  );
  assert.ok(app.logs.some(({ message }) => /^a backup of 8 files .*, without routes\/legacy\.yml$/.test(message)));
});

/** Puts more documents than may wait for a reader. */
async function putMuch(app: TestApp): Promise<void> {
  const entries = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`key ${n}`, "x".repeat(190)]));
  for (const id of ["a", "b"]) {
    const init = { method: "PUT", body: JSON.stringify({ entries }), headers: { "Content-Type": "application/json" } };
    assert.equal((await app.api(`/value-mappings/${id}`, init)).status, 201);
  }
}

/** Begins a backup whose reader takes nothing yet. */
async function unreadBackup(app: TestApp): Promise<IncomingMessage> {
  const request = get(`${app.url}/_api/backup`, { headers: { Authorization: `Bearer ${token}` }, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await once(response, "readable");
  return response;
}

const muchLimits = { mappingBytes: 16 * 1024 * 1024 };

test("a reader that goes away ends the backup, and the next one is served", async (t) => {
  const app = await startTestApp(t, { limits: muchLimits });
  await putMuch(app);
  const response = await unreadBackup(app);
  assert.equal((await app.api("/backup")).status, 429);
  response.destroy();
  await eventually(() => app.logs.some(({ message }) => message.startsWith("a backup was broken off")), "it has ended");
  const files = await filesOf(app);
  assert.equal(Buffer.byteLength(files.get("data/value-mappings/b.document") ?? "") > 10_000_000, true);
});

test("a reader that takes nothing is cut off, and the next one is served", async (t) => {
  const app = await startTestApp(t, { limits: { ...muchLimits, responseStallMs: 200 } });
  await putMuch(app);
  const response = await unreadBackup(app);
  const isOver = ({ message }: { message: string }) => message.endsWith("its reader took nothing for 200 ms");
  await eventually(() => app.logs.some(isOver), "it was cut off");
  response.resume();
  await assert.rejects(once(response, "end"), { code: "ECONNRESET" });
  assert.ok((await filesOf(app)).has("manifest.json"));
});

test("a set that is deployed meanwhile is in it as a whole or not at all", async (t) => {
  const app = await startTestApp(t, { limits: muchLimits });
  await putMuch(app);
  const deploy = async (text: string): Promise<number> => {
    const set = {
      set: "shop",
      flows: [{ id: "orders", yaml: answering("orders", text) }],
      mappings: [{ kind: "value", id: "codes", document: { entries: { A: text } } }],
    };
    const init = { method: "POST", body: JSON.stringify(set), headers: { "Content-Type": "application/json" } };
    return (await app.api("/deployments", init)).status;
  };
  assert.equal(await deploy("one"), 200);
  // Its flows are in the archive, and the mappings wait for the reader.
  const response = await unreadBackup(app);
  const deployed = deploy("two");
  const others = async (): Promise<void> => {
    for (let n = 1; n <= 5; n += 1) await app.put("other", answering("other", `${n}`));
  };
  await Promise.race([deployed, others()]);
  const files = await archived(response);
  const parts = ["routes/orders.yaml", "data/value-mappings/codes.document"].map((name) => files.get(name) ?? "");
  assert.deepEqual(
    parts.map((text) => [/one/.test(text), /two/.test(text)]),
    [
      [true, false],
      [true, false],
    ],
  );
  assert.equal(await deployed, 200);
  assert.match((await filesOf(app)).get("data/value-mappings/codes.document") ?? "", /two/);
});
