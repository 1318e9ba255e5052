/**
 * A change of a document that is cut off at any operation, or fails there, leaves the old text or the new one, also
 * after a loss of power.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DocumentStore } from "../../../src/control/stores/documents.ts";
import { FileDocuments } from "../../../src/control/stores/file-documents.ts";
import type { FsPort } from "../../../src/control/stores/fs-port.ts";
import { StoreGuard } from "../../../src/control/stores/store-guard.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { countedFs, type Operation } from "./counted-fs.ts";
import { CrashFs } from "./crash-fs.ts";
import { systemError } from "./hooked-fs.ts";
import { outcomes } from "./outcomes.ts";

const directory = "/var/bulkhead/data/value-mappings";

interface Change {
  readonly name: string;
  readonly before: ((store: DocumentStore) => Promise<unknown>) | undefined;
  readonly make: (store: DocumentStore) => Promise<unknown>;
  /** The text afterwards; undefined: there is none. */
  readonly was: string | undefined;
  readonly is: string | undefined;
  /** The highest number that was acknowledged, without the change and with it. */
  readonly last: readonly [before: number, after: number];
}

const put = (text: string) => (store: DocumentStore) => store.put("orders", text);
const remove = (store: DocumentStore) => store.remove("orders");

const changes: readonly Change[] = [
  { name: "create", before: undefined, make: put("new"), was: undefined, is: "new", last: [0, 1] },
  { name: "replace", before: put("old"), make: put("new"), was: "old", is: "new", last: [1, 2] },
  { name: "remove", before: put("old"), make: remove, was: "old", is: undefined, last: [1, 1] },
  {
    name: "create what was removed",
    before: (store) => put("old")(store).then(() => remove(store)),
    make: put("new"),
    was: undefined,
    is: "new",
    last: [1, 2],
  },
];

function openOn(fs: FsPort, guard = new StoreGuard()): FileDocuments {
  return new FileDocuments({ directory, what: "thing", guard, fs });
}

/** A disk on which the change is about to be made. */
async function prepared({ before }: Change): Promise<CrashFs> {
  const disk = new CrashFs();
  await disk.makeDirectory("/var/bulkhead/data");
  const store = openOn(disk);
  await store.load();
  await before?.(store);
  return disk;
}

async function operationsOf(change: Change): Promise<readonly Operation[]> {
  const operations: Operation[] = [];
  const store = openOn(countedFs(await prepared(change), (operation) => operations.push(operation)));
  await store.load();
  operations.length = 0;
  await change.make(store);
  return operations;
}

/** What a boot finds, with the number that it would give next; no promise of a boot may be broken. */
async function found(disk: CrashFs): Promise<{ readonly text: string | undefined; readonly next: number }> {
  const store = openOn(disk);
  const { documents, broken } = await store.load();
  assert.deepEqual(broken, []);
  for (const path of disk.files().keys()) assert.doesNotMatch(path, /\.tmp$/);
  assert.deepEqual((await openOn(disk).load()).documents, documents, "a second boot finds the same");
  const { revision } = await store.put("orders", "next");
  return { text: documents[0]?.text, next: revision };
}

/** Every disk that a loss of power may leave holds one of these texts, and numbers go on. */
async function assertLeft(disk: CrashFs, texts: readonly (string | undefined)[], last: number, when: string) {
  for (const left of outcomes((choose) => disk.afterPowerLoss(choose))) {
    const { text, next } = await found(left);
    assert.ok(texts.includes(text), `${when}: ${text}`);
    assert.ok(next > last, `${when}: revision ${next} after ${last}`);
  }
}

/**
 * Makes the change once for each of its operations, as the last one that is made; returns their number. `without`: a
 * sync that is left out.
 */
async function crashEverywhere(change: Change, without?: number): Promise<number> {
  const { was, is, last } = change;
  const skipped = without === undefined ? undefined : (await loadsOf(change)) + without;
  for (let lastMade = 0; ; lastMade++) {
    const disk = await prepared(change);
    let made: number | undefined;
    const dying = (): void => {
      if (made !== undefined && ++made > lastMade) throw systemError("KILLED");
    };
    const store = openOn(countedFs(disk, dying, skipped));
    await store.load();
    made = 0;
    const acknowledged = await change.make(store).then(
      () => true,
      () => false,
    );
    const when = `${change.name}, after ${lastMade} operations`;
    await assertLeft(disk, acknowledged ? [is] : [was, is], last[acknowledged ? 1 : 0], when);
    if (acknowledged && made <= lastMade) return made;
  }
}

/** Operations that a boot makes before the change. */
async function loadsOf(change: Change): Promise<number> {
  let count = 0;
  await openOn(countedFs(await prepared(change), () => count++)).load();
  return count;
}

for (const change of changes) {
  describe(change.name, () => {
    test("a crash at any operation leaves the old text or the new one", async () => {
      assert.ok((await crashEverywhere(change)) > 3);
    });

    for (const [code, expected] of [
      ["EIO", "store_failed"],
      ["EACCES", "store_failed"],
      ["ENOSPC", "disk_full"],
    ] as const) {
      test(`an operation that fails with ${code} refuses the change, and the old text stays`, async () => {
        const operations = await operationsOf(change);
        for (let failing = 1; failing <= operations.length; failing++) {
          const disk = await prepared(change);
          let count = -1;
          const guard = new StoreGuard();
          const failOnce = (): void => {
            if (count >= 0 && ++count === failing) throw systemError(code);
          };
          const store = openOn(countedFs(disk, failOnce), guard);
          await store.load();
          count = 0;
          const error = await change.make(store).then(
            () => undefined,
            (refused: unknown) => refused,
          );
          const when = `${operations[failing - 1]}, number ${failing}`;
          if (error === undefined) {
            // The mark of a removed document that stays for once does no harm, nor a directory above that may not be read.
            const isAbove = code === "EACCES" && failing <= operations.indexOf("create");
            assert.equal(operations[failing - 1], isAbove ? "syncDirectory" : "unlink", when);
            continue;
          }
          assert.ok(error instanceof AppError, when);
          assert.equal(error.code, expected, when);
          assert.match(error.message, /what was stored before is intact/);
          assert.equal((await store.read("orders"))?.text, change.was, when);
          assert.equal(guard.status.writable, code !== "EACCES", when);
          await assertLeft(disk, [change.was], change.last[0], when);
          await change.make(store);
          assert.equal((await store.read("orders"))?.text, change.is, when);
        }
      });
    }

    test("each sync is necessary", async () => {
      const operations = await operationsOf(change);
      for (const [index, operation] of operations.entries()) {
        // Directories above are synced once for all that may have made them: each by itself is there already.
        const above = operation === "syncDirectory" && index < operations.indexOf("create");
        if (!operation.startsWith("sync") || above) continue;
        await assert.rejects(crashEverywhere(change, index + 1), `${operation}, number ${index + 1}`);
      }
    });
  });
}

test("a change that cannot be undone makes all stores of the process read-only until a restart", async () => {
  const disk = await prepared(changes[1] as Change);
  let renamed = false;
  const guard = new StoreGuard();
  const failing = (operation: Operation): void => {
    if (operation === "rename") renamed = true;
    else if (renamed && operation === "syncDirectory") throw systemError("EIO");
  };
  const store = openOn(countedFs(disk, failing), guard);
  await store.load();
  await assert.rejects(store.put("orders", "new"), /read-only until the runtime is restarted/);
  renamed = false;
  assert.match(guard.status.reason ?? "", /EIO.*check the disk first/);
  await assert.rejects(store.put("others", "x"), /read-only/);
  await assert.rejects(store.remove("orders"), /read-only/);
});
