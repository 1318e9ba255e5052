/**
 * The audit log of a whole runtime: which calls record a line, what a line contains, and what happens if it cannot be
 * written.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type AuditFs, nodeAuditFs } from "../../../src/control/audit/audit-files.ts";
import { verifyAudit } from "../../../src/control/audit/verify-audit.ts";
import { epochMs, eventually } from "../../support/clock.ts";
import { answering, direct } from "../../support/flows.ts";
import { startTestApp, type TestApp, token } from "../../support/start-app.ts";
import { closeSession, expectRefusal, invoke, openSession, postSession } from "../../support/test-sessions.ts";

interface Line {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly address: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly action: string;
  readonly resource: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly durationMs: number | null;
  readonly requestId: string | null;
  readonly note?: string;
}

async function linesOf({ auditDirectory }: Pick<TestApp, "auditDirectory">): Promise<Line[]> {
  const texts: string[] = [];
  for (const name of (await readdir(auditDirectory)).sort()) {
    texts.push(...(await readFile(join(auditDirectory, name), "utf8")).split("\n").filter((line) => line !== ""));
  }
  return texts.map((text) => JSON.parse(text) as Line);
}

interface Operation {
  readonly description: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

test("every endpoint that changes something, or shows a failed message, records a line, and the others record none", async (t) => {
  const app = await startTestApp(t, { audit: {} });
  const { paths } = (await (await app.api("/openapi.json")).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const told: string[] = [];
  const called: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { description, requestBody }] of Object.entries(operations)) {
      const action = /`([a-z.]+)`/.exec(description)?.[1] ?? "";
      if (method === "head" || path.endsWith("/stream")) continue;
      const url = path.slice("/_api".length).replaceAll(/\{\w+\}/g, "x-1");
      const answer = await app.api(url, {
        method: method.toUpperCase(),
        ...(requestBody && { body: "{}", headers: { "Content-Type": Object.keys(requestBody.content)[0] ?? "" } }),
      });
      await answer.arrayBuffer();
      called.push(action);
      const changes =
        method !== "get" && /\.(write|operate)$|^runs\.(cancel|start)$|^(tests\.run|connections\.test)$/.test(action);
      if (changes || action === "runtime.backup" || /^failed\.(?!list)/.test(action)) {
        const found = await app.api(`/audit?limit=1&action=${action}`);
        assert.equal(
          ((await found.json()) as { entries: Line[] }).entries[0]?.path,
          `/_api${url}`,
          "it can be asked for",
        );
        told.push(
          `${method.toUpperCase()} /_api${url} ${action} ${answer.status} ${answer.headers.get("x-error-code")}`,
        );
      }
    }
  }
  await app.close();
  assert.ok(told.length >= 12 && called.length > told.length);
  const lines = (await linesOf(app)).map(
    ({ method, path, action, status, code }) => `${method} ${path} ${action} ${status} ${code}`,
  );
  assert.deepEqual(lines, told);
});

test("a line records actor, action, resource and outcome, and no body or secret", async (t) => {
  const app = await startTestApp(t, { audit: {} });
  const created = await app.put("f", answering("r", "one-of-the-body"), {}, "?drainMs=5");
  const { hash: first } = (await created.json()) as { hash: string };
  const { hash: second } = (await (await app.put("f", answering("r", "two"))).json()) as { hash: string };
  assert.equal((await app.put("f", "- nothing: {}")).status, 422);
  assert.equal((await app.api("/flows/f", { method: "DELETE", headers: { "X-Request-Id": "mine" } })).status, 200);
  await app.close();
  const lines = await linesOf(app);
  assert.deepEqual(
    lines.map(({ seq, status, code, before, after }) => [seq, status, code, before, after]),
    [
      [1, 201, null, null, first],
      [2, 200, null, first, second],
      [3, 422, "flow_invalid", second, second],
      [4, 200, null, second, null],
    ],
  );
  const [put, , , removed] = lines;
  const actor = createHash("sha256").update(token).digest("hex").slice(0, 8);
  assert.deepEqual(
    [put?.actor, put?.address, put?.method, put?.path, put?.action, put?.resource],
    [actor, "127.0.0.1", "PUT", "/_api/flows/f", "flows.write", "f"],
  );
  assert.deepEqual([put?.requestId, removed?.requestId], [created.headers.get("x-request-id"), "mine"]);
  assert.ok(Math.abs(Date.parse(put?.at ?? "") - epochMs()) < 600_000 && (put?.durationMs ?? 0) > 0);
  const text = JSON.stringify(lines);
  for (const part of [token, "one-of-the-body", "drainMs"]) assert.ok(!text.includes(part), part);
  assert.equal((await verifyAudit(app.auditDirectory)).broken, undefined);
});

test("a line of a test session records which session was opened or closed and which run was begun, not their bodies", async (t) => {
  const yaml = direct("d", "start", "log: { id: a, message: x }");
  const app = await startTestApp(t, { audit: {}, files: { "f.yaml": yaml } });
  const mocks = { a: { respond: "secret-word" } };
  const opened = await openSession(app, { flowId: "f", scope: "session", mocks });
  const { runId } = await invoke(app, opened, { endpoint: "direct:start", body: "secret-word" });
  await closeSession(app, opened, "", { assertions: [{ result: { body: "secret-word" } }] });
  await expectRefusal(postSession(app, { "secret-word": 1 }), 422, "session_invalid");
  await app.close();
  const lines = await linesOf(app);
  assert.deepEqual(
    lines.map(({ action, resource, status, code }) => [action, resource, status, code]),
    [
      ["tests.run", `f/${opened.sessionId}`, 201, null],
      ["tests.run", runId, 200, null],
      ["tests.run", opened.sessionId, 200, null],
      ["tests.run", null, 422, "session_invalid"],
    ],
  );
  assert.doesNotMatch(JSON.stringify(lines), /secret-word/);
});

test("a flood of calls with bad tokens records a bounded number of lines, and the number of the others", async (t) => {
  const app = await startTestApp(t, { audit: {}, limits: { auditRefusals: 20 } });
  const flood = 2000;
  const requestIds = new Set<string | null>();
  let left = flood;
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const headers = { Authorization: `Bearer bad-token-${left}` };
      const answer = await fetch(`${app.url}/_api/flows/f`, { method: "DELETE", headers });
      assert.equal(answer.status, 401);
      requestIds.add(answer.headers.get("x-request-id"));
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 20 }, caller));
  await app.close();
  const lines = await linesOf(app);
  const refused = lines.filter(({ action }) => action === "refused");
  const more = lines.filter(({ action }) => action === "refused.more");
  // A slow machine may take more minutes than one.
  assert.ok(lines.length <= 21 * (more.length + 1), `${lines.length} lines`);
  assert.ok(
    refused.every(({ actor, code, status }) => actor === "anonymous" && code === "unauthorized" && status === 401),
  );
  assert.ok(refused.every(({ requestId }) => requestIds.has(requestId)));
  const counted = more.reduce((sum, { note }) => sum + Number(/^\d+/.exec(note ?? "")?.[0]), 0);
  assert.equal(refused.length + counted, flood);
  assert.ok(!JSON.stringify(lines).includes("bad-token"));
});

/** A disk that can be made to fail. */
function failingDisk(): { readonly fs: AuditFs; failing: boolean; syncs: number } {
  const disk = {
    failing: false,
    syncs: 0,
    fs: {
      ...nodeAuditFs,
      async open(path: string) {
        const file = await nodeAuditFs.open(path);
        return {
          ...file,
          async sync() {
            await file.sync();
            disk.syncs += 1;
          },
          async append(content: Uint8Array) {
            if (!disk.failing) return file.append(content);
            // Writes a part, as a full disk does.
            await file.append(content.subarray(0, content.length >> 1));
            throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          },
        };
      },
    } satisfies AuditFs,
  };
  return disk;
}

test("a failing disk degrades the health and stops nothing; the lines are written when it works again", async (t) => {
  const disk = failingDisk();
  const app = await startTestApp(t, { audit: { fs: disk.fs } });
  await app.put("f", answering("r", "one"));
  disk.failing = true;
  assert.equal((await app.put("f", answering("r", "two"))).status, 200);
  const health = async () =>
    (await (await app.api("/health")).json()) as { status: string; audit: { reason?: string } };
  const worse = await eventually(async () => {
    const found = await health();
    return found.status === "DEGRADED" ? found : undefined;
  }, "the health is degraded");
  assert.match(worse.audit.reason ?? "", /ENOSPC/);
  // That what was written before reaches the disk does not mean that the line which waits is written.
  await eventually(() => disk.syncs > 0, "the line before is on the disk");
  assert.equal((await health()).status, "DEGRADED");
  assert.ok(!JSON.stringify(await (await fetch(`${app.url}/_api/health`)).json()).includes("ENOSPC"));
  assert.equal(app.logs.filter(({ logger, level }) => logger === "audit" && level === "ERROR").length, 1);
  disk.failing = false;
  await eventually(async () => (await health()).status === "UP", "the health is good again", 60_000);
  await app.close();
  const verdict = await verifyAudit(app.auditDirectory);
  assert.deepEqual([verdict.broken, verdict.lines], [undefined, 2]);
});

test("strict: an answer waits until its line is on the disk, and without a disk nothing is changed", async (t) => {
  const disk = failingDisk();
  const app = await startTestApp(t, { audit: { strict: true, fs: disk.fs } });
  assert.equal((await app.put("f", answering("r", "one"))).status, 201);
  assert.equal((await linesOf(app)).length, 1, "the line is there when the answer is");
  disk.failing = true;
  const failed = await app.put("f", answering("r", "two"));
  assert.deepEqual([failed.status, failed.headers.get("x-error-code")], [500, "audit_failed"]);
  assert.match(await failed.text(), /the change was made, but/);
  const refused = await app.put("f", answering("r", "three"));
  assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [500, "audit_failed"]);
  assert.match(await refused.text(), /nothing was changed/);
  assert.equal(await (await app.post("/api/r")).text(), "two");
  assert.equal((await app.api("/flows")).status, 200, "what changes nothing goes on");
});

test("a change is answered after its line would survive the process", async (t) => {
  let begun = (): void => {};
  let go = (): void => {};
  const writes = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const fs: AuditFs = {
    ...nodeAuditFs,
    async open(path) {
      const file = await nodeAuditFs.open(path);
      const append = async (content: Uint8Array): Promise<void> => {
        begun();
        await gate;
        await file.append(content);
      };
      return { ...file, append };
    },
  };
  const app = await startTestApp(t, { audit: { fs } });
  let answered = false;
  const put = app.put("f", answering("r", "one")).then((answer) => {
    answered = true;
    return answer;
  });
  await writes;
  for (let i = 0; i < 3; i++) assert.equal((await app.api("/limits")).status, 200);
  assert.equal(answered, false);
  go();
  assert.equal((await put).status, 201);
  assert.equal((await linesOf(app)).length, 1);
});
