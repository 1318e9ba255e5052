/**
 * A set that is cut off at any operation on the disk, by a kill or a loss of power, is there as a whole after the next boot, or not at
 * all; one whose operation fails has changed nothing, or says that the restart completes it.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { FileDocuments } from "../../../src/control/stores/file-documents.ts";
import { FileSets } from "../../../src/control/stores/file-sets.ts";
import { FileFlowStore } from "../../../src/control/stores/file-stores.ts";
import { noOptions } from "../../../src/control/stores/flow-options.ts";
import type { FsPort } from "../../../src/control/stores/fs-port.ts";
import type { SetChange } from "../../../src/control/stores/sets.ts";
import { StoreGuard } from "../../../src/control/stores/store-guard.ts";
import type { RevisionContent } from "../../../src/control/stores/stores.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { countedFs } from "./counted-fs.ts";
import { CrashFs } from "./crash-fs.ts";
import { systemError } from "./hooked-fs.ts";
import type { Choose } from "./outcomes.ts";

const routesDirectory = "/var/bulkhead/routes";
const dataDirectory = "/var/bulkhead/data";

const content = (text: string): RevisionContent => ({ yaml: `# ${text}\n`, ...noOptions, state: "started" });
const before = "kept=old gone=old codes=old spare=old new=none guarded=none";
const after = "kept=new gone=none codes=new spare=none new=new guarded=new";

const change: SetChange = {
  flows: [
    { id: "kept", content: { ...content("new"), set: "s" } },
    { id: "new", content: { ...content("new"), set: "s" } },
    { id: "gone", content: null },
  ],
  documents: [
    { kind: "valueMappings", id: "codes", text: "new", set: "s" },
    { kind: "valueMappings", id: "spare", text: null },
    { kind: "policies", id: "guarded", text: "new", by: { via: "test" } },
  ],
};

function openOn(fs: FsPort, guard = new StoreGuard()) {
  const documents = (name: string) =>
    new FileDocuments({ directory: `${dataDirectory}/${name}`, what: "x", guard, fs });
  const flows = new FileFlowStore({ routesDirectory, dataDirectory, flowYamlBytes: 1000, guard, fs });
  const stores = {
    valueMappings: documents("value-mappings"),
    messageMappings: documents("message-mappings"),
    policies: documents("policies"),
    connections: documents("connections"),
  };
  const sets = new FileSets({ routesDirectory, dataDirectory, flows, documents: stores, guard, fs });
  return { flows, ...stores, sets, guard };
}

type Stores = ReturnType<typeof openOn>;

async function boot(fs: FsPort): Promise<Stores> {
  const stores = openOn(fs);
  await stores.sets.recover();
  await stores.policies.load();
  await stores.valueMappings.load();
  await stores.flows.load();
  return stores;
}

/** A disk on which the set is about to be deployed. */
async function prepared(): Promise<CrashFs> {
  const disk = new CrashFs();
  await disk.makeDirectory(routesDirectory);
  await disk.makeDirectory(dataDirectory);
  await disk.syncDirectory("/var/bulkhead");
  const { flows, valueMappings } = await boot(disk);
  for (const id of ["kept", "gone"]) await flows.keep(id, content("old"));
  for (const id of ["codes", "spare"]) await valueMappings.put(id, "old");
  return disk;
}

async function seen({ flows, valueMappings, policies }: Stores): Promise<string> {
  const ofFlow = async (id: string): Promise<string> => {
    const text = await flows.read(id);
    if (text === undefined) return `${id}=none`;
    assert.equal(text.head?.hash, text.hash, `${id}: head and file agree`);
    return `${id}=${text.yaml.slice(2, -1)}`;
  };
  const ofDocument = async (store: FileDocuments, id: string): Promise<string> =>
    `${id}=${(await store.read(id))?.text ?? "none"}`;
  const found = [
    ofFlow("kept"),
    ofFlow("gone"),
    ofDocument(valueMappings, "codes"),
    ofDocument(valueMappings, "spare"),
  ];
  return (await Promise.all([...found, ofFlow("new"), ofDocument(policies, "guarded")])).join(" ");
}

/** Some of the disks that a loss of power may leave: nothing unsynced, everything, and a few in between. */
function* powerLosses(disk: CrashFs): Generator<CrashFs> {
  let seed = 1;
  const random: Choose = (count) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % count;
  };
  yield disk.afterPowerLoss(() => 0);
  yield disk.afterPowerLoss((count) => count - 1);
  for (let n = 0; n < 12; n++) yield disk.afterPowerLoss(random);
}

async function assertWhole(disk: CrashFs, allowed: readonly string[], when: string): Promise<void> {
  const stores = await boot(disk);
  const found = await seen(stores);
  assert.ok(allowed.includes(found), `${when}: ${found}`);
  for (const path of disk.files().keys()) assert.doesNotMatch(path, /\.tmp$|journal\.json$/, when);
  assert.equal(await seen(await boot(disk)), found, `${when}: a second boot finds the same`);
  // Everything can be changed again, and numbers go on.
  await stores.sets.commit({ flows: [{ id: "kept", content: content("later") }], documents: [] });
  assert.equal((await stores.flows.read("kept"))?.yaml, "# later\n");
}

/** Runs the deployment with an operation number at which it is cut off; returns whether it was over before. */
async function cutOff(lastMade: number, check: (disk: CrashFs, acknowledged: boolean) => Promise<void>) {
  const disk = await prepared();
  let made: number | undefined;
  const dying = (): void => {
    if (made !== undefined && ++made > lastMade) throw systemError("KILLED");
  };
  const { flows, valueMappings, policies, sets } = openOn(countedFs(disk, dying));
  await policies.load();
  await valueMappings.load();
  await flows.load();
  made = 0;
  const acknowledged = await sets.commit(change).then(
    () => true,
    () => false,
  );
  const over = acknowledged && made <= lastMade;
  await check(disk, acknowledged);
  return over;
}

test("a kill at any operation leaves the whole set or nothing of it", async () => {
  const found = new Set<boolean>();
  for (let lastMade = 0; ; lastMade++) {
    const over = await cutOff(lastMade, async (disk, acknowledged) => {
      found.add(acknowledged);
      await assertWhole(disk, acknowledged ? [after] : [before, after], `after ${lastMade} operations`);
    });
    if (!over) continue;
    assert.ok(lastMade > 40, `${lastMade} operations`);
    break;
  }
  assert.deepEqual(found, new Set([false, true]));
});

test("a loss of power at any operation leaves the whole set or nothing of it", async () => {
  for (let lastMade = 0; ; lastMade++) {
    const over = await cutOff(lastMade, async (disk, acknowledged) => {
      for (const left of powerLosses(disk))
        await assertWhole(left, acknowledged ? [after] : [before, after], `after ${lastMade} operations`);
    });
    if (over) break;
  }
});

test("a kill while the boot completes a set leaves it to the next boot", async () => {
  // The last operations of a deployment: the journal is there, the files are not in place.
  const disk = await prepared();
  let renamedJournal = false;
  const { flows, valueMappings, policies, sets } = openOn(
    countedFs(disk, (operation) => {
      if (renamedJournal && operation === "rename") throw systemError("KILLED");
      if (operation === "rename" && [...disk.files().keys()].some((path) => /journal\.json\..*tmp$/.test(path)))
        renamedJournal = true;
    }),
  );
  await policies.load();
  await valueMappings.load();
  await flows.load();
  await assert.rejects(sets.commit(change), /the restart completes it \(KILLED\)/);
  for (let lastMade = 0; lastMade < 20; lastMade++) {
    const copy = disk.afterPowerLoss((count) => count - 1);
    let made = 0;
    const dying = countedFs(copy, () => {
      if (++made > lastMade) throw systemError("KILLED");
    });
    await boot(dying).catch(() => undefined);
    await assertWhole(copy, [after], `after ${lastMade} operations of the boot`);
  }
});

for (const [code, expected] of [
  ["ENOSPC", "disk_full"],
  ["EIO", "store_failed"],
] as const) {
  test(`an operation that fails with ${code} changes nothing, or the restart completes the set`, async () => {
    let completed = 0;
    for (let failing = 1; ; failing++) {
      const disk = await prepared();
      let count = -1;
      const failOnce = (): void => {
        if (count >= 0 && ++count === failing) throw systemError(code);
      };
      const guard = new StoreGuard();
      const stores = openOn(countedFs(disk, failOnce), guard);
      await stores.policies.load();
      await stores.valueMappings.load();
      await stores.flows.load();
      count = 0;
      const error: unknown = await stores.sets.commit(change).then(
        () => undefined,
        (refused: unknown) => refused,
      );
      if (count < failing) break;
      const when = `operation ${failing}`;
      if (error === undefined) {
        await assertWhole(disk, [after], when);
        continue;
      }
      assert.ok(error instanceof AppError, when);
      if (guard.status.writable) {
        assert.equal(error.code, expected, when);
        assert.equal(await seen(stores), before, when);
        await assertWhole(disk, [before], when);
      } else {
        completed += 1;
        assert.match(error.message, /read-only until the runtime is restarted/, when);
        await assertWhole(disk, [before, after], when);
      }
    }
    assert.ok(completed > 0);
  });
}
