/** Whole numbers beyond 2^53 over the borders of threads and the management API: calls, queues, mocks, records, assertions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { direct, webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const id = "9007199254740993";
const near = "9007199254740992";
const json = { "Content-Type": "application/json" };

const caller = webhook("in", "to: direct:entry");
const entry = direct(
  "entry",
  "entry",
  "setHeader: { name: id, jq: .id }",
  "setVariable: { name: ids, jq: '[.id, .n]' }",
  "to: direct:other",
  "to: { id: crm, uri: http:127.0.0.1:1/crm }",
  "choice: { when: [{ simple: '${body[id]} == 9007199254740993', steps: [{ setHeader: { name: same, constant: 'yes' } }] }] }",
  'setBody: { jq: \'{got: .id, header: header("id"), ids: variable("ids"), same: header("same")}\' }',
);
const other = direct("other", "other", "setBody: { jq: '{id, n, called: .id}' }", "to: seda:done");
const done = direct("done", "x", "log: '${body}'").replace("direct:x", "seda:done");

test("the digits cross threads and are recorded, mocked and asserted as they are", async (t) => {
  const app = await startTestApp(t);
  const call = (path: string, body: string, method = "POST") => app.api(path, { method, headers: json, body });
  assert.equal((await app.put("other", other + done)).status, 201);
  assert.equal((await app.put("in", caller + entry)).status, 201);
  const opened = await call(
    "/test/session",
    `{"flowId":"in","scope":"session","mocks":{"crm":{"respond":{"body":{"id":${id},"of":[-${id}]}}}}}`,
  );
  const { sessionId } = (await opened.json()) as { sessionId: string };
  const answer = await app.post("/api/in", `{"id":${id},"n":-${id}}`, { ...json, "X-Test-Session": sessionId });
  assert.equal(await answer.text(), `{"got":${id},"header":${id},"ids":[${id},-${id}],"same":"yes"}`);
  const invoked = await call(
    "/test/invoke",
    `{"sessionId":"${sessionId}","routeId":"entry","body":{"id":${id},"n":1}}`,
  );
  const told = await invoked.text();
  assert.equal(invoked.status, 200, told);
  assert.ok(told.includes(`"got":${id},"header":${id},"ids":[${id},1]`), told);
  const asserted = (value: string): string =>
    `{"mockCalled":{"stepId":"crm","with":{"body":{"id":${value},"n":{"$lt":${near}},"called":{"$gt":${near}}}}}}`;
  const closed = await call(
    `/test/session/${sessionId}`,
    `{"assertions":[${asserted(id)},${asserted(near)}]}`,
    "DELETE",
  );
  const report = await closed.text();
  const { assertions } = JSON.parse(report) as { assertions: { passed: boolean; message?: string }[] };
  assert.deepEqual(
    assertions.map(({ passed }) => passed),
    [true, false],
    report,
  );
  assert.ok(report.includes(`expected ${near}, got ${id}`), report);
  assert.ok(report.includes(`"id":${id},"n":-${id},"called":${id}`), report);
});
