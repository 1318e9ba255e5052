/**
 * The policies in force: closed if they cannot be read, durable before they apply, unchanged as long as their document
 * is.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Policies } from "../../../src/control/access/policies.ts";
import type { DocumentStore } from "../../../src/control/stores/documents.ts";
import { MemoryDocuments } from "../../../src/control/stores/memory-stores.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { turn } from "../../support/clock.ts";
import { aReader } from "./a-reader.ts";

async function loaded(store: DocumentStore = new MemoryDocuments("access policy")) {
  const policies = new Policies(store, aReader);
  const problems = await policies.load();
  return { policies, problems, store };
}

const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected;

test("a policy is durable before it is in force, and in force before it is acknowledged", async () => {
  const memory = new MemoryDocuments("access policy");
  const kept = Promise.withResolvers<void>();
  const { policies } = await loaded(
    Object.assign(Object.create(memory) as DocumentStore, {
      load: () => memory.load(),
      put: async (id: string, text: string) => {
        await kept.promise;
        return memory.put(id, text);
      },
    }),
  );
  const put = policies.put("f", { label: 1, key: "clear" });
  await turn();
  assert.equal(policies.get("f"), undefined);
  kept.resolve();
  const { created, revision, document } = await put;
  assert.deepEqual([created, revision, document], [true, 1, { label: 1, sha256: "hash of clear" }]);
  assert.equal(policies.get("f")?.understood, true);
  assert.equal((await memory.read("f"))?.text, '{"label":1,"sha256":"hash of clear"}');
});

test("the same document changes neither revision nor policy; a different one changes both", async () => {
  const { policies } = await loaded();
  await policies.put("f", { label: 1, key: "clear" });
  const before = policies.get("f");
  const again = await policies.put("f", { label: 1, key: "clear" });
  assert.deepEqual([again.created, again.revision], [false, 1]);
  assert.equal(policies.get("f"), before);
  const other = await policies.put("f", { label: 2 });
  assert.deepEqual([other.created, other.revision], [false, 2]);
  assert.notEqual(policies.get("f"), before);
});

test("a change that the store refuses has no effect", async () => {
  const memory = new MemoryDocuments("access policy");
  await memory.put("f", '{"label":1}');
  const refuse = async (): Promise<never> => {
    throw new AppError("disk_full", "the disk is full");
  };
  const { policies } = await loaded(
    Object.assign(Object.create(memory) as DocumentStore, { load: () => memory.load(), put: refuse, remove: refuse }),
  );
  const before = policies.get("f");
  await assert.rejects(policies.put("f", { label: 2 }), code("disk_full"));
  await assert.rejects(policies.remove("f"), code("disk_full"));
  assert.equal(policies.get("f"), before);
  assert.deepEqual((await policies.find("f")).document, { label: 1 });
});

test("a file that cannot be read closes its flow, is reported, and can be replaced and removed", async () => {
  const memory = new MemoryDocuments("access policy");
  const { policies, problems } = await loaded(
    Object.assign(Object.create(memory) as DocumentStore, {
      load: async () => ({
        documents: [
          { id: "text", hash: "", revision: 1, lastModified: "", bytes: 1, text: "{" },
          { id: "list", hash: "", revision: 1, lastModified: "", bytes: 1, text: "[]" },
          { id: "strange", hash: "", revision: 1, lastModified: "", bytes: 1, text: "{}" },
        ],
        broken: [{ id: "torn", problem: "it has no end" }],
      }),
      put: memory.put.bind(memory),
      remove: memory.remove.bind(memory),
    }),
  );
  assert.deepEqual(problems.map(({ flowId }) => flowId).sort(), ["list", "strange", "text", "torn"]);
  for (const id of ["text", "list", "strange", "torn"]) assert.equal(policies.get(id)?.understood, false, id);
  assert.equal(policies.get("other"), undefined);
  await policies.put("torn", { label: 1 });
  assert.equal(policies.get("torn")?.understood, true);
  await policies.remove("text");
  assert.equal(policies.get("text"), undefined);
});

test("when no policy can be read, every flow is closed and none can be opened", async () => {
  const { policies, problems } = await loaded(
    Object.assign(Object.create(new MemoryDocuments("access policy")) as DocumentStore, {
      load: async () => {
        throw new Error("the directory is gone");
      },
    }),
  );
  assert.match(problems[0]?.problem ?? "", /every flow is closed: the directory is gone/);
  assert.equal(policies.get("any")?.understood, false);
  await assert.rejects(policies.put("any", { label: 1 }), code("store_failed"));
  await assert.rejects(policies.remove("any"), code("store_failed"));
  await assert.rejects(policies.find("any"), code("store_failed"));
});

test("changes wait until the policies are loaded", async () => {
  const policies = new Policies(new MemoryDocuments("access policy"), aReader);
  const put = policies.put("f", { label: 1 });
  await turn();
  assert.equal(policies.get("f"), undefined);
  await policies.load();
  await put;
  assert.equal(policies.get("f")?.understood, true);
});

test("strict refuses a document with warnings, and a failed precondition changes nothing", async () => {
  const { policies } = await loaded();
  await assert.rejects(policies.put("f", { other: 1 }, { strict: true }), code("policy_invalid"));
  assert.equal(policies.get("f"), undefined);
  const { hash, revision } = await policies.put("f", { label: 1 }, { ifNoneMatch: "*" });
  await assert.rejects(policies.put("f", { label: 2 }, { ifNoneMatch: "*" }), code("precondition_failed"));
  await assert.rejects(policies.put("f", { label: 2 }, { ifMatch: '"other"' }), code("precondition_failed"));
  await policies.put("f", { label: 2 }, { ifMatch: `"${hash}.${revision}"` });
  await assert.rejects(policies.remove("f", { ifMatch: `"${hash}.${revision}"` }), code("precondition_failed"));
  await policies.remove("f");
  await assert.rejects(policies.remove("f"), code("not_found"));
  await assert.rejects(policies.find("f"), code("not_found"));
  await policies.forget("f");
});
