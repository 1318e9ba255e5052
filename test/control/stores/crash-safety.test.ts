/** A keep or a remove that is cut off at any operation, or fails there, leaves the old state or the new one. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { describe, test } from "node:test";
import type { FlowStore } from "../../../src/control/stores/stores.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { content, refusal } from "./flow-store-suite.ts";
import { type FileBench, openFiles } from "./store-directory.ts";
import { systemError, watchedFs } from "./watched-fs.ts";

const old = content("# old", { params: { version: "old" }, limits: { queue: 1 } });
const next = content("# new", { params: { version: "new" }, limits: { queue: 2 }, state: "stopped" });
const sameText = content("# old", { params: { version: "new" }, limits: { queue: 2 }, state: "stopped" });

interface Change {
  readonly name: string;
  readonly before: ((store: FlowStore) => Promise<unknown>) | undefined;
  readonly make: (store: FlowStore) => Promise<unknown>;
}

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

/** What a restart finds: everything that belongs together, in one value. */
async function stateOf(bench: FileBench): Promise<unknown> {
  const flows = await bench.restart().load();
  assert.deepEqual(
    (await readdir(bench.routes)).filter((name) => name.endsWith(".tmp")),
    [],
    "no temp file stays",
  );
  return flows.map(({ yaml, params, limits, state }) => ({ yaml, params, limits, state }));
}

/** The states before and after a change, and the number of operations that it takes. */
async function measure({ before, make }: Change) {
  let operations = 0;
  const bench = openFiles();
  await bench.store.load();
  await before?.(bench.store);
  const was = await stateOf(bench);
  const store = bench.restart(watchedFs(() => operations++));
  await make(store);
  return { was, is: await stateOf(bench), operations };
}

function isOneOf(state: unknown, allowed: readonly unknown[]): boolean {
  return allowed.some((one) => JSON.stringify(one) === JSON.stringify(state));
}

for (const change of changes) {
  describe(change.name, async () => {
    const { was, is, operations } = await measure(change);

    test("a crash before any operation leaves old or new, never a mixture", async () => {
      assert.ok(operations > 3);
      for (let last = 0; last <= operations; last++) {
        const bench = openFiles();
        await bench.store.load();
        await change.before?.(bench.store);
        let count = 0;
        const dying = bench.restart(
          watchedFs(() => {
            if (++count > last) throw systemError("EIO");
          }),
        );
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

    for (const [code, expected] of [
      ["EIO", "store_failed"],
      ["ENOSPC", "disk_full"],
      ["EDQUOT", "disk_full"],
    ] as const) {
      test(`one operation that fails with ${code} refuses the change and leaves the old state`, async () => {
        for (let failing = 1; failing <= operations; failing++) {
          const bench = openFiles();
          await bench.store.load();
          await change.before?.(bench.store);
          let count = 0;
          const store = bench.restart(
            watchedFs(() => {
              if (++count === failing) throw systemError(code);
            }),
          );
          const error = await change.make(store).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (error !== undefined) {
            assert.ok(error instanceof AppError);
            assert.equal(error.code, expected, error.message);
          }
          assert.deepEqual(store.status(), { writable: true });
          const half = change.name === "purge" && error !== undefined;
          const allowed = error === undefined ? [is] : half ? [was, is] : [was];
          const state = await stateOf(bench);
          assert.ok(isOneOf(state, allowed), `operation ${failing}: ${JSON.stringify(state)}`);
          if (error !== undefined) {
            await store.keep("orders", next);
            assert.ok(isOneOf(await stateOf(bench), [[next]]), "the store works on without a restart");
          }
        }
      });
    }
  });
}

describe("a directory that cannot be synced", () => {
  test("has the previous version put back", async () => {
    const bench = openFiles();
    await bench.store.load();
    await bench.store.keep("orders", old);
    let failures = 1;
    const store = bench.restart(
      watchedFs((operation) => {
        if (operation === "syncDirectory routes" && failures-- > 0) throw systemError("EIO");
      }),
    );
    await assert.rejects(store.keep("orders", next), refusal("store_failed", /EIO.*intact/));
    assert.equal((await store.read("orders"))?.yaml, "# old");
    assert.deepEqual(
      (await store.revisions("orders")).map(({ revision }) => revision),
      [1],
    );
    assert.deepEqual(store.status(), { writable: true });
    assert.equal((await store.keep("orders", next)).revision, 2);
  });

  test("makes the store read-only until restart when the previous version cannot be put back", async () => {
    const bench = openFiles();
    await bench.store.load();
    await bench.store.keep("orders", old);
    await bench.store.keep("other", old);
    const store = bench.restart(
      watchedFs((operation) => {
        if (operation === "syncDirectory routes") throw systemError("EIO");
      }),
    );
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

  test("on a full disk a flow can be deleted", async () => {
    const bench = openFiles();
    await bench.store.load();
    await bench.store.keep("orders", old);
    const store = bench.restart(
      watchedFs((operation) => {
        if (operation.startsWith("write ")) throw systemError("ENOSPC");
      }),
    );
    await assert.rejects(store.keep("orders", next), refusal("disk_full"));
    await store.remove("orders");
    assert.deepEqual(await stateOf(bench), []);
  });
});
