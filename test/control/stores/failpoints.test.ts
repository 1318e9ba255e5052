/** Every operation that the store makes on the disk has a name, and every name is one that it makes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlowStore, RevisionContent } from "../../../src/control/stores/stores.ts";
import { openOn } from "./crash-check.ts";
import { CrashFs } from "./crash-fs.ts";
import { type Failpoint, failpoints } from "./failpoints.ts";
import { hookedFs, systemError } from "./hooked-fs.ts";

const content: RevisionContent = { yaml: "# text", params: {}, limits: {}, state: "started" };

test("changes and their undoing reach every failpoint", async () => {
  const reached = new Set<Failpoint>();
  const disk = new CrashFs();
  let failing: Failpoint | undefined;
  const before = (point: Failpoint): void => {
    reached.add(point);
    if (point !== failing) return;
    failing = undefined;
    throw systemError("EIO");
  };
  const store: FlowStore = openOn(hookedFs({ before }, disk));
  await store.load();
  for (const point of ["revision.write", "yaml.write", "head.write", "head.sync-renamed"] as const) {
    failing = point;
    await assert.rejects(store.keep("a", content), point);
  }
  await store.keep("a", content);
  await store.load();
  await store.remove("a", { purge: true });
  assert.deepEqual([...reached].sort(), [...failpoints].sort());
});
