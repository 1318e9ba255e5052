/** What the designer remembers beside the files of flows: what was deployed where, and messages to try them with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Examples, FlowEntry, FlowFile } from "../../../designer/shared/wire.ts";
import { startTestDesigner } from "./support/start-designer.ts";

const yaml = "- route: {}\n";

test("a deployment is remembered by target, over a new start, and can be forgotten", async (t) => {
  const first = await startTestDesigner(t, { files: { "a.yaml": yaml } });
  const { hash, optionsHash } = await first.json<FlowFile>("GET", "/designer/flows/a");
  const record = { target: "default", hash, optionsHash, revision: 3 };
  const entry = await first.json<FlowEntry>("POST", "/designer/flows/a/deployed", record);
  const authors = { 3: "local" };
  assert.deepEqual({ ...entry.deployed["default"], at: "" }, { hash, optionsHash, revision: 3, at: "", authors });
  await first.close();
  const again = await startTestDesigner(t, { env: { WORKSPACE: first.workspace } });
  const [listed] = await again.json<FlowEntry[]>("GET", "/designer/flows");
  assert.deepEqual(listed?.deployed, entry.deployed);
  await again.json("DELETE", "/designer/flows/a/deployed/default");
  assert.deepEqual((await again.json<FlowFile>("GET", "/designer/flows/a")).deployed, {});
});

test("who has deployed is remembered of the last ten revisions; options that the disk does not have are sent along", async (t) => {
  const { json } = await startTestDesigner(t, {
    files: { "a.yaml": yaml, "a.flow.yaml": "category: x\nrecord: all\n" },
  });
  const { hash, optionsHash } = await json<FlowFile>("GET", "/designer/flows/a");
  const options = { record: "all", category: "x" };
  for (let revision = 1; revision <= 12; revision += 1)
    await json("POST", "/designer/flows/a/deployed", { target: "default", hash, options, revision });
  const { deployed } = await json<FlowFile>("GET", "/designer/flows/a");
  assert.equal(deployed["default"]?.optionsHash, optionsHash);
  assert.deepEqual(Object.keys(deployed["default"]?.authors ?? {}), [
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "11",
    "12",
  ]);
});

test("a refused deployment is remembered with its reason, over a new start, until one succeeds", async (t) => {
  const first = await startTestDesigner(t, { files: { "a.yaml": yaml } });
  const { hash, optionsHash } = await first.json<FlowFile>("GET", "/designer/flows/a");
  const record = { target: "default", hash, optionsHash };
  const reason = "a.yaml:1:3: unknown step 'lgo'";
  await first.json("POST", "/designer/flows/a/failed", { ...record, reason });
  await first.close();
  const again = await startTestDesigner(t, { env: { WORKSPACE: first.workspace } });
  const [listed] = await again.json<FlowEntry[]>("GET", "/designer/flows");
  assert.deepEqual({ ...listed?.failed["default"], at: "" }, { hash, optionsHash, reason, at: "" });
  const entry = await again.json<FlowEntry>("POST", "/designer/flows/a/deployed", { ...record, revision: 1 });
  assert.deepEqual(entry.failed, {});
});

test("a record of no target, of no flow or of no hash is refused", async (t) => {
  const { call } = await startTestDesigner(t, { files: { "a.yaml": yaml } });
  const record = { target: "default", hash: "0".repeat(64), optionsHash: "0".repeat(64), revision: 1 };
  const statuses = [
    await call("POST", "/designer/flows/a/deployed", { ...record, target: "prod" }),
    await call("POST", "/designer/flows/b/deployed", record),
    await call("POST", "/designer/flows/a/deployed", { ...record, hash: "x" }),
    await call("POST", "/designer/flows/a/deployed", { ...record, options: {} }),
    await call("POST", "/designer/flows/a/deployed", "{"),
  ].map(({ status }) => status);
  assert.deepEqual(statuses, [404, 404, 400, 400, 400]);
});

test("examples of a flow are kept as they were sent", async (t) => {
  const { json, call } = await startTestDesigner(t, { files: { "a.yaml": yaml } });
  assert.deepEqual(await json<Examples>("GET", "/designer/examples/a"), { examples: [] });
  const sent = { examples: [{ name: "new order", body: '{"id":1}', headers: { x: "1" }, later: { field: true } }] };
  await json("PUT", "/designer/examples/a", sent);
  assert.deepEqual(await json<Examples>("GET", "/designer/examples/a"), sent);
  assert.equal((await call("PUT", "/designer/examples/a", { examples: [{ body: "1" }] })).status, 400);
  assert.equal((await call("PUT", "/designer/examples/b", sent)).status, 404);
});
