/** Every error that the OpenAPI document declares is caused through the public door, and no operation answers with an undeclared one. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { nodeAuditFs } from "../../../src/control/audit/audit-files.ts";
import { answering } from "../../support/flows.ts";
import { startTestApp, token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
import { Causes, declaredBy } from "./declared.ts";
import { diskErrors, failedStateErrors, lockErrors, secretErrors } from "./disk-errors.ts";
import { groupErrors, heldErrors } from "./kept-errors.ts";
import {
  backupErrors,
  connectionErrors,
  deploymentErrors,
  documentErrors,
  retryErrors,
  rollbackErrors,
  runtimeErrors,
  sessionErrors,
  stateErrors,
  triggerErrors,
} from "./own-errors.ts";
import { type Change, furnish, send } from "./requests.ts";
import { lateShutdownErrors, shutdownErrors, threadlessErrors } from "./shutdown-errors.ts";

/** Nothing but a fault of ours makes it; test/control/api/flows.test.ts has a store that throws. */
const ours = " internal";
const smallBodies = { managementBodyBytes: 8192, mappingBytes: 8192, deploymentBytes: 8192 };

test("each declared error has a cause", async (t) => {
  const causes = new Causes(await declaredBy(await startTestApp(t)));
  const group = (name: string, cause: (t: TestContext, causes: Causes) => Promise<void>): Promise<void> =>
    t.test(name, (inner) => cause(inner, causes));
  await group("of any request", anyRequest);
  await group("of a runtime without a token", withoutToken);
  await group("of an audit log that cannot be written", auditErrors);
  await group("of a disk that fails or is full", diskErrors);
  await group("of failed messages on a broken disk", failedStateErrors);
  await group("of secrets that cannot be listed", secretErrors);
  await group("of a directory whose lock is gone", lockErrors);
  await group("of a runtime that shuts down", shutdownErrors);
  await group("of a runtime that shuts down and has ended its check threads", threadlessErrors);
  await group("of a runtime that has shut down but for its last answers", lateShutdownErrors);
  await group("of deployments", deploymentErrors);
  await group("of rollbacks", rollbackErrors);
  await group("of mappings, policies and runs", documentErrors);
  await group("of test sessions", sessionErrors);
  await group("of what flows keep", stateErrors);
  await group("of runs that are begun by hand", triggerErrors);
  await group("of connections", connectionErrors);
  await group("of backups", backupErrors);
  await group("of failed messages", retryErrors);
  await group("of groups that a change cannot continue", groupErrors);
  await group("of restored data that waits", heldErrors);
  await group("of a runtime with too little of something", runtimeErrors);
  await group("of a runtime without threads", threadErrors);
  assert.deepEqual(
    causes.missing().filter((one) => !one.endsWith(ours)),
    [],
    "declared, and nothing here causes it",
  );
});

/** Where the usual mistake is another one: documents that check threads read may be any bytes. */
const ownChanges: Readonly<Record<string, Change>> = {
  "putValueMapping bad_request": { body: undefined },
  "putMessageMapping bad_request": { body: undefined },
  "testMessageMapping bad_request": { body: {} },
  "testValueMapping bad_request": { body: {} },
  "openTestSession not_found": { body: { flowId: "nobody", mocks: {} } },
  "validateTestSession not_found": { body: { flowId: "nobody", mocks: {} } },
  "retryManyFailed precondition_failed": { body: { all: true, expect: 77 } },
  "discardManyFailed precondition_failed": { body: { all: true, expect: 77 } },
  "deploySet precondition_failed": { body: { mappings: [{ kind: "value", id: "m", document: {}, ifMatch: '"0"' }] } },
  "invokeInTest not_found": { body: { sessionId: "nobody", endpoint: "direct:x" } },
};

/** What a request can have wrong whatever it is for. */
async function anyRequest(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { limits: smallBodies });
  const requests = await furnish(app);
  const wrong: readonly (readonly [code: string, change: Change])[] = [
    ["unauthorized", { bearer: false }],
    ["bad_target", { path: (path) => path.replace("/_api/", "/_api//") }],
    ["bad_id", { id: ".x" }],
    ["bad_query", { query: "nonsense=1&probe=nonsense" }],
    ["bad_json", { text: "{" }],
    ["body_too_large", { text: " ".repeat(smallBodies.managementBodyBytes + 1) }],
    ["unsupported_media_type", { text: "x", headers: { "Content-Type": "text/plain" } }],
    ["bad_request", { bytes: Uint8Array.of(0x22, 0xff, 0x22) }],
    ["precondition_failed", { headers: { "If-Match": '"another"', "Content-Type": "application/json" } }],
    ["not_found", { id: "nobody" }],
  ];
  for (const [code, change] of wrong) {
    for (const operation of causes.declaring(code)) {
      // Of a path without an id something else is not there.
      if (
        code === "not_found" &&
        !operation.path.includes("{") &&
        ownChanges[`${operation.name} ${code}`] === undefined
      )
        continue;
      const own = ownChanges[`${operation.name} ${code}`];
      await causes.note(
        operation.name,
        code,
        await send(app, operation, requests[operation.name] ?? {}, own ?? change),
      );
    }
  }
}

async function withoutToken(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { tokenless: true });
  for (const operation of causes.declaring("token_not_configured"))
    await causes.note(operation.name, "token_not_configured", await send(app, operation, { id: "x" }));
}

async function auditErrors(t: TestContext, causes: Causes): Promise<void> {
  const disk = { fails: false };
  const fs = {
    ...nodeAuditFs,
    names: (directory: string) =>
      disk.fails ? Promise.reject(Object.assign(new Error("broken"), { code: "EIO" })) : nodeAuditFs.names(directory),
    async open(path: string) {
      const file = await nodeAuditFs.open(path);
      const append: typeof file.append = (content) =>
        disk.fails ? Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })) : file.append(content);
      return { ...file, append };
    },
  };
  const app = await startTestApp(t, { audit: { strict: true, fs } });
  const requests = await furnish(app);
  disk.fails = true;
  for (const operation of causes.declaring("audit_failed"))
    await causes.note(operation.name, "audit_failed", await send(app, operation, requests[operation.name] ?? {}));
  const list = causes.operation("listAudit");
  await causes.note("listAudit", "store_failed", await send(app, list, {}));
  await causes.note("listAudit", "not_found", await send(await startTestApp(t), list, {}));
}

/** A process of its own, with so few descriptors that a few flows take them. */
async function threadErrors(t: TestContext, causes: Causes): Promise<void> {
  const { url } = await startProcess(
    t,
    { SERVICE_DEPLOY_TOKEN: token, LIMIT_STANDBY_THREADS: "1" },
    { descriptors: 90 },
  );
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" };
  const put = (id: string, text = id): Promise<Response> =>
    fetch(`${url}/_api/flows/${id}`, { method: "PUT", headers, body: answering(`r-${id}`, text) });
  const post = (path: string, body?: object): Promise<Response> =>
    fetch(`${url}/_api/flows/${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const deploySet = (): Promise<Response> =>
    fetch(`${url}/_api/deployments`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ set: "s", flows: [{ id: "stopped", yaml: answering("r-stopped", `${deployed++}`) }] }),
    });
  let deployed = 0;
  await put("stopped", "one");
  await put("stopped", "two");
  assert.equal((await post("stopped/stop")).status, 200);
  let flows = 0;
  const fill = async (): Promise<Response> => {
    for (; flows < 40; flows += 1) {
      const answer = await put(`f${flows}`);
      if (answer.status !== 201) return answer;
    }
    throw new Error("40 flows have their threads");
  };
  await causes.note("putFlow", "no_thread", await fill());
  for (const [name, call] of [
    ["startFlow", () => post("stopped/start")],
    ["rollbackFlow", () => post("stopped/rollback", { revision: 1 })],
    ["reloadFlow", () => post("stopped/reload")],
    ["deploySet", deploySet],
  ] as const) {
    let answer = await call();
    // Connections that were closed meanwhile have left room: another flow takes it.
    for (let i = 0; i < 10 && answer.ok; i += 1) {
      assert.equal((await post("stopped/stop")).status, 200);
      await fill();
      answer = await call();
    }
    await causes.note(name, "no_thread", answer);
  }
}
