/** Which of two files that claim one route id has it: the first in the order of ids, however long its check takes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bootLoad } from "../../src/control/flows/boot-load.ts";
import { ChangeQueue } from "../../src/control/flows/change-queue.ts";
import type { CheckPool } from "../../src/control/flows/check-pool.ts";
import { Claims } from "../../src/control/flows/claims.ts";
import { Deployer } from "../../src/control/flows/deployer.ts";
import { KnownChecks } from "../../src/control/flows/flow-check.ts";
import { FlowRegister } from "../../src/control/flows/flow-register.ts";
import { Drains, LiveFlows } from "../../src/control/flows/live-flows.ts";
import { noCheckedModels } from "../../src/control/stores/checked-models.ts";
import { MemoryDocuments, MemoryFlowStore } from "../../src/control/stores/memory-stores.ts";
import { PlainSets } from "../../src/control/stores/sets.ts";
import type { FlowPools } from "../../src/control/threads/flow-pools.ts";
import type { CheckRequest } from "../../src/shared/check.ts";
import { defaultLimits } from "../../src/shared/limits.ts";
import { catalog } from "../../src/workers/catalog.ts";
import { check } from "../../src/workers/check/check.ts";
import { compileFlow } from "../../src/workers/compile/compile-flow.ts";
import { answering } from "../support/flows.ts";

test("names are claimed in the order of ids, although the first file is the last to be checked", async () => {
  const store = new MemoryFlowStore({ flowYamlBytes: 10_000 });
  for (const id of ["a", "b", "c"]) store.edit(`${id}.yaml`, answering("same", id));
  const documents = {
    valueMappings: new MemoryDocuments(),
    messageMappings: new MemoryDocuments(),
    policies: new MemoryDocuments(),
    connections: new MemoryDocuments(),
  };
  const register = new FlowRegister();
  const checked: string[] = [];
  const others = Promise.withResolvers<void>();
  const checks = {
    async check(request: CheckRequest) {
      if (request.flowId === "a") await others.promise;
      checked.push(request.flowId);
      if (checked.length === 2) others.resolve();
      return check(request, catalog, compileFlow);
    },
  } as unknown as CheckPool;
  const pool = { manifest: { routes: [], steps: [], mappings: [] }, limits: defaultLimits };
  const pools = { compile: async () => ({ warm: async () => pool }) };
  const deployer = new Deployer({
    held: false,
    checks: new KnownChecks(checks, noCheckedModels),
    sets: new PlainSets(store, documents),
    ...{ register, store, claims: new Claims(), live: new LiveFlows(), drains: new Drains() },
    pools: pools as unknown as FlowPools,
    settings: () => ({ limits: defaultLimits, record: "errors" }),
    variables: () => new Map(),
    state: { owners: { forget: async () => {} }, groups: { foreign: async () => 0 } },
    mappingAccess: () => "given",
    connections: { loaded: Promise.resolve(), problem: () => undefined, hint: () => undefined },
    events: { deployed() {}, failed() {}, warned() {}, stopped() {}, deleted() {} },
  });
  await bootLoad(deployer, new ChangeQueue(), await store.load(), { note() {} }, 3);
  assert.deepEqual(checked, ["b", "c", "a"]);
  assert.deepEqual(
    ["a", "b", "c"].map((id) => [id, register.get(id)?.state, register.get(id)?.error?.slice(0, 37)]),
    [
      ["a", "Started", undefined],
      ["b", "Failed", "route id 'same' belongs to flow 'a': "],
      ["c", "Failed", "route id 'same' belongs to flow 'a': "],
    ],
  );
});
