/** A keep or a remove that is cut off at any operation, or fails there, leaves the old state or the new one. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FlowStore } from "../../../src/control/stores/stores.ts";
import { AppError, type ErrorCode } from "../../../src/shared/errors.ts";
import { openOn, stateOf as stateOfFlow } from "./crash-check.ts";
import { CrashFs } from "./crash-fs.ts";
import type { Failpoint } from "./failpoints.ts";
import { content, refusal } from "./flow-store-suite.ts";
import { type FsHook, hookedFs, systemError } from "./hooked-fs.ts";
import { outcomes } from "./outcomes.ts";

const old = content("# old", { params: { version: "old" }, limits: { queue: 1 } });
const next = content("# new", { params: { version: "new" }, limits: { queue: 2 }, state: "stopped" });
const sameText = content("# old", { params: { version: "new" }, limits: { queue: 2 }, state: "stopped" });

interface Change {
  readonly name: string;
  readonly before: ((store: FlowStore) => Promise<unknown>) | undefined;
  readonly make: (store: FlowStore) => Promise<unknown>;
}

const failures: readonly { readonly code: string; readonly expected: ErrorCode; readonly partly?: boolean }[] = [
  { code: "EIO", expected: "store_failed" },
  { code: "EMFILE", expected: "store_failed" },
  { code: "EACCES", expected: "store_failed" },
  { code: "EINTR", expected: "store_failed" },
  { code: "EIO", expected: "store_failed", partly: true },
  { code: "ENOSPC", expected: "disk_full", partly: true },
  { code: "EDQUOT", expected: "disk_full" },
];

const keepOld = (store: FlowStore) => store.keep("orders", old);
const changes: Change[] = [
  { name: "create", before: undefined, make: (store) => store.keep("orders", next) },
  { name: "replace", before: keepOld, make: (store) => store.keep("orders", next) },
  { name: "replace params only", before: keepOld, make: (store) => store.keep("orders", sameText) },
  { name: "delete", before: keepOld, make: (store) => store.remove("orders") },
  { name: "purge", before: keepOld, make: (store) => store.remove("orders", { purge: true }) },
  { name: "stop", before: keepOld, make: (store) => store.setState("orders", "stopped") },
  {
    name: "create after a DELETE",
    before: (store) => keepOld(store).then(() => store.remove("orders")),
    make: (store) => store.keep("orders", next),
  },
];

interface Bench {
  readonly disk: CrashFs;
  readonly store: FlowStore;
  restart(hook?: FsHook): FlowStore;
}

/** On a disk in memory, which is faster and does the same. */
function openDisk(): Bench {
  const disk = new CrashFs();
  return { disk, store: openOn(disk), restart: (hook) => openOn(hook === undefined ? disk : hookedFs(hook, disk)) };
}

/** What a restart finds: everything that belongs together, in one value. */
async function stateOf(bench: Bench): Promise<unknown> {
  const flows = await bench.restart().load();
  assert.deepEqual(
    [...bench.disk.files().keys()].filter((name) => name.endsWith(".tmp")),
    [],
    "no temp file stays",
  );
  return flows.map(({ yaml, params, limits, state }) => ({ yaml, params, limits, state }));
}

/** The states before and after a change, and the number of operations that it takes. */
async function measure({ before, make }: Change) {
  let operations = 0;
  const bench = openDisk();
  await bench.store.load();
  await before?.(bench.store);
  const was = await stateOf(bench);
  const store = bench.restart({ before: () => operations++ });
  await make(store);
  return { was, is: await stateOf(bench), operations };
}

function isOneOf(state: unknown, allowed: readonly unknown[]): boolean {
  return allowed.some((one) => JSON.stringify(one) === JSON.stringify(state));
}

for (const change of changes) {
  describe(change.name, async () => {
    const { was, is, operations } = await measure(change);

    test("a crash before any operation leaves the old state or the new one, never a mixture", async () => {
      assert.ok(operations > 3);
      for (let last = 0; last <= operations; last++) {
        const bench = openDisk();
        await bench.store.load();
        await change.before?.(bench.store);
        let count = 0;
        const dying = bench.restart({
          before: () => {
            if (++count > last) throw systemError("EIO");
          },
        });
        const acknowledged = await change.make(dying).then(
          () => true,
          () => false,
        );
        const state = await stateOf(bench);
        assert.ok(
          isOneOf(state, acknowledged ? [is] : [was, is]),
          `after ${last} operations: ${JSON.stringify(state)}`,
        );
        assert.deepEqual(await stateOf(bench), state, "a second boot finds the same");
      }
    });

    for (const { code, expected, partly = false } of failures) {
      const how = partly ? `${code} after a part of the write` : code;
      test(`one operation that fails with ${how} refuses the change and leaves the old state`, async () => {
        for (let failing = 1; failing <= operations; failing++) {
          const bench = openDisk();
          await bench.store.load();
          await change.before?.(bench.store);
          let count = 0;
          let failed: Failpoint | undefined;
          const store = bench.restart({
            before: (point) => {
              if (++count !== failing) return;
              failed = point;
              throw systemError(code, partly);
            },
          });
          const error = await change.make(store).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          // A deleted record cannot be restored.
          const torn = change.name === "purge" && failed === "revision.sync-unlinked";
          if (error !== undefined) {
            assert.ok(error instanceof AppError);
            assert.equal(error.code, torn ? "store_failed" : expected, error.message);
          }
          const refused = code === "EACCES" && error !== undefined;
          assert.equal(store.status().writable, !torn && !refused, `at ${failed}`);
          const half = change.name === "purge" && error !== undefined;
          const allowed = error === undefined ? [is] : half ? [was, is] : [was];
          const state = await stateOf(bench);
          assert.ok(isOneOf(state, allowed), `operation ${failing}, ${failed}: ${JSON.stringify(state)}`);
          if (error !== undefined && !torn) {
            await store.keep("orders", next);
            assert.deepEqual(store.status(), { writable: true });
            assert.ok(isOneOf(await stateOf(bench), [[next]]), "the store works on without a restart");
          }
        }
      });
    }
  });
}

describe("syncs that fail, and a full disk", () => {
  test("the previous version is restored if a directory cannot be synced", async () => {
    const bench = openDisk();
    await bench.store.load();
    await bench.store.keep("orders", old);
    let failures = 1;
    const store = bench.restart({
      before: (point) => {
        if (point === "yaml.sync-renamed" && failures-- > 0) throw systemError("EIO");
      },
    });
    await assert.rejects(store.keep("orders", next), refusal("store_failed", /EIO.*intact/));
    assert.equal((await store.read("orders"))?.yaml, "# old");
    assert.deepEqual(
      (await store.revisions("orders")).map(({ revision }) => revision),
      [1],
    );
    assert.deepEqual(store.status(), { writable: true });
    assert.equal((await store.keep("orders", next)).revision, 2);
  });

  test("the store is read-only until a restart if the previous version cannot be restored", async () => {
    const bench = openDisk();
    await bench.store.load();
    await bench.store.keep("orders", old);
    await bench.store.keep("other", old);
    const store = bench.restart({
      before: (point) => {
        if (point === "yaml.sync-renamed") throw systemError("EIO");
      },
    });
    await assert.rejects(
      store.keep("orders", next),
      refusal("store_failed", /read-only until the runtime is restarted/),
    );
    await assert.rejects(store.keep("other", next), refusal("store_failed", /read-only/));
    await assert.rejects(store.remove("other"), refusal("store_failed", /read-only/));
    assert.match(store.status().reason ?? "", /read-only.*EIO/);
    assert.equal(store.status().writable, false);
    assert.equal((await store.read("other"))?.yaml, "# old", "reading goes on");
    const again = bench.restart();
    assert.equal((await again.load()).length, 2);
    assert.deepEqual(again.status(), { writable: true });
  });

  test("a loss of power after a failed sync of the head does not mix old and new", async () => {
    const stopped = { ...old, state: "stopped" } as const;
    const started = { ...next, state: "started" } as const;
    const bench = openDisk();
    await bench.store.load();
    await bench.store.keep("orders", stopped);
    const store = bench.restart({
      before: (point) => {
        if (point === "head.sync-renamed") throw systemError("EIO");
      },
    });
    await assert.rejects(store.keep("orders", started), refusal("store_failed", /read-only/));
    let states = 0;
    for (const disk of outcomes((choose) => bench.disk.afterPowerLoss(choose))) {
      const found = (await openOn(disk).load()).map(stateOfFlow);
      assert.ok(isOneOf(found, [[stopped], [started]]), JSON.stringify(found));
      states += 1;
    }
    assert.ok(states > 1);
  });

  test("a directory that a killed process did not sync is synced when the same state is requested again", async () => {
    const bench = openDisk();
    await bench.store.load();
    await bench.store.keep("orders", old);
    let dead = false;
    const dying = bench.restart({
      before: (point) => {
        dead ||= point === "head.sync-renamed";
        if (dead) throw systemError("EIO");
      },
    });
    await assert.rejects(dying.setState("orders", "stopped"));
    const restarted = bench.restart();
    assert.equal((await restarted.load())[0]?.state, "stopped");
    await restarted.setState("orders", "stopped");
    for (const disk of outcomes((choose) => bench.disk.afterPowerLoss(choose))) {
      assert.equal((await openOn(disk).load())[0]?.state, "stopped");
    }
  });

  test("a flow can be deleted on a full disk", async () => {
    const bench = openDisk();
    await bench.store.load();
    await bench.store.keep("orders", old);
    const store = bench.restart({
      before: (point) => {
        if (point.endsWith(".write")) throw systemError("ENOSPC");
      },
    });
    await assert.rejects(store.keep("orders", next), refusal("disk_full"));
    await store.remove("orders");
    assert.deepEqual(await stateOf(bench), []);
  });
});
