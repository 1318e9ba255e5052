/** The state store by itself: what is durable, whose it is, its bounds, and what becomes of damaged and full files. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { epochMs } from "../../support/clock.ts";
import { openStore, stateDirectory } from "../../support/state/open-store.ts";

const orders = { flowId: "shop.orders", incarnation: 1 };
const claim = [7, false, []] as const;

test("a key that is confirmed is known after a restart; one that is only claimed is not", async (t) => {
  const { store, directory } = await openStore(t);
  assert.equal(await store.keys.claim(orders, "ids", "=1", ...claim), "new");
  assert.equal(await store.keys.claim(orders, "ids", "=2", ...claim), "new");
  assert.equal(await store.keys.claim(orders, "ids", "=2", ...claim), "taken");
  await store.keys.confirm(orders, "ids", "=1", false, "run1");
  await store.close();
  const again = (await openStore(t, { directory })).store;
  assert.equal(await again.keys.claim(orders, "ids", "=1", ...claim), "stored");
  assert.equal(await again.keys.claim(orders, "ids", "=2", ...claim), "new");
});

test("what a thread has claimed is free when it is gone, what it has confirmed stays", async (t) => {
  const { store } = await openStore(t);
  await store.keys.claim(orders, "ids", "=1", 1, false, []);
  await store.keys.claim(orders, "ids", "=2", 1, false, []);
  await store.keys.claim(orders, "ids", "=3", 2, false, []);
  await store.keys.confirm(orders, "ids", "=2", false, "run");
  await store.keys.abandon(orders, 1);
  assert.equal(await store.keys.claim(orders, "ids", "=1", 3, false, []), "new");
  assert.equal(await store.keys.claim(orders, "ids", "=2", 3, false, []), "stored");
  assert.equal(await store.keys.claim(orders, "ids", "=3", 3, false, []), "taken");
});

test("a released key may come again, whether it was claimed or stored", async (t) => {
  const { store } = await openStore(t);
  await store.keys.claim(orders, "ids", "=1", ...claim);
  await store.keys.release(orders, "ids", "=1");
  assert.equal(await store.keys.claim(orders, "ids", "=1", ...claim), "new");
  await store.keys.confirm(orders, "ids", "=1", false, "run");
  await store.keys.release(orders, "ids", "=1");
  assert.equal(await store.keys.look(orders, "ids", "=1", []), "none");
  assert.deepEqual(
    (await store.repositories.list(orders)).map(({ keys, bytes }) => [keys, bytes]),
    [[0, 0]],
  );
});

test("a key passes for the runs after the one that has stored it, when they are named", async (t) => {
  const { store } = await openStore(t);
  await store.keys.confirm(orders, "ids", "=1", false, "first");
  assert.equal(await store.keys.claim(orders, "ids", "=1", 1, false, ["other"]), "stored");
  assert.equal(await store.keys.claim(orders, "ids", "=1", 1, false, ["other", "first"]), "new");
});

test("a flow that is made again sees nothing of the one before it, nor do other flows of its group", async (t) => {
  const { store } = await openStore(t);
  await store.keys.confirm(orders, "ids", "=1", false, "run");
  assert.equal(await store.keys.look({ ...orders, incarnation: 2 }, "ids", "=1", []), "none");
  assert.equal(await store.keys.look({ ...orders, flowId: "shop.bills" }, "ids", "=1", []), "none");
  assert.equal(await store.keys.look(orders, "ids", "=1", []), "stored");
});

test("a flow at its bound of keys is refused more, by the name of the limit; one that evicts loses its oldest", async (t) => {
  const { store } = await openStore(t, { stateKeys: 40 });
  for (let i = 0; i < 40; i += 1) await store.keys.confirm(orders, "ids", `=${i}`, false, "run");
  await assert.rejects(store.keys.claim(orders, "ids", "=x", ...claim), { code: "limit", message: /stateKeys/ });
  await assert.rejects(store.keys.confirm(orders, "ids", "=x", false, "run"), { code: "limit" });
  // Another flow has a bound of its own.
  assert.equal(await store.keys.claim({ ...orders, flowId: "shop.bills" }, "ids", "=x", ...claim), "new");
  assert.equal(await store.keys.claim(orders, "ids", "=x", 1, true, []), "new");
  await store.keys.confirm(orders, "ids", "=x", true, "run");
  assert.equal(await store.keys.look(orders, "ids", "=0", []), "none");
  assert.equal(await store.keys.look(orders, "ids", "=39", []), "stored");
  assert.equal(await store.keys.look(orders, "ids", "=x", []), "stored");
  assert.ok(((await store.repositories.list(orders))[0]?.keys ?? 99) <= 40);
});

test("keys that are claimed count towards the bound, so that a run never fails at its end", async (t) => {
  const { store } = await openStore(t, { stateKeys: 2 });
  await store.keys.claim(orders, "ids", "=1", ...claim);
  await store.keys.claim(orders, "ids", "=2", ...claim);
  await assert.rejects(store.keys.claim(orders, "ids", "=3", ...claim), { code: "limit" });
  await store.keys.confirm(orders, "ids", "=1", false, "run");
  await store.keys.confirm(orders, "ids", "=2", false, "run");
});

test("repositories are listed with their keys, which are found by their beginnings, and removed by one or all", async (t) => {
  const { store } = await openStore(t);
  for (const key of ["=a1", "=a2", "=b1"]) await store.keys.confirm(orders, "ids", key, false, "run");
  await store.keys.confirm(orders, "others", "=a1", false, "run");
  const listed = await store.repositories.list(orders);
  assert.deepEqual(
    listed.map(({ kind, name, keys }) => [kind, name, keys]),
    [
      ["idempotent", "ids", 3],
      ["idempotent", "others", 1],
    ],
  );
  assert.ok(Math.abs(epochMs() - (listed[0]?.oldest ?? 0)) < 60_000);
  const found = await store.repositories.keys(orders, "ids", "=a", 10);
  assert.deepEqual(
    found?.map(({ key, run }) => [key, run]),
    [
      ["=a1", "run"],
      ["=a2", "run"],
    ],
  );
  assert.equal((await store.repositories.keys(orders, "ids", "=", 2))?.length, 2);
  assert.equal(await store.repositories.keys(orders, "none", "", 10), undefined);
  assert.equal(await store.repositories.removeKey(orders, "ids", "=a1"), 1);
  assert.equal(await store.repositories.removeKey(orders, "ids", "=a1"), 0);
  assert.equal(await store.repositories.removeKey(orders, "none", "=a1"), undefined);
  assert.equal(await store.repositories.remove(orders, "ids"), 2);
  assert.equal(await store.repositories.remove(orders, "ids"), undefined);
  assert.deepEqual(
    (await store.repositories.list(orders)).map(({ name }) => name),
    ["others"],
  );
});

test("what takes many turns to remove is removed, and what comes behind it waits its turn", async (t) => {
  const { store } = await openStore(t);
  const all = Array.from({ length: 12_000 }, (_, i) => store.keys.confirm(orders, "ids", `=${i}`, false, "run"));
  await Promise.all(all);
  const removed = store.owners.forget(orders);
  await removed;
  assert.deepEqual(await store.repositories.list(orders), []);
  assert.equal(await store.keys.claim(orders, "ids", "=1", ...claim), "new");
});

test("any text is a key: without a shape, with line breaks, beyond the basic plane", async (t) => {
  const { store, directory } = await openStore(t);
  const keys = ["=", "='; DROP TABLE keys; --", "=a\nb", "=\u{1f600}", "=%_", "=\u0000x", "=\u0000y"];
  for (const key of keys) await store.keys.confirm(orders, "ids", key, false, "run");
  await store.close();
  const again = (await openStore(t, { directory })).store;
  const listed = await again.repositories.keys(orders, "ids", "=", 100);
  assert.deepEqual(listed?.map(({ key }) => key).sort(), [...keys].sort());
});

test("only the runtime's user may read the files", async (t) => {
  const { store, directory } = await openStore(t);
  await store.keys.confirm(orders, "ids", "=1", false, "run");
  for (const name of await readdir(directory)) {
    assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600, name);
  }
});

test("a damaged file is set aside and reported; its group goes on with a new one, others are not touched", async (t) => {
  const { store, directory, log } = await openStore(t);
  const bills = { flowId: "bills.in", incarnation: 1 };
  await store.keys.confirm(orders, "ids", "=1", false, "run");
  await store.keys.confirm(bills, "ids", "=1", false, "run");
  await store.close();
  await writeFile(join(directory, "shop.sqlite"), "this is no database, and never was one ".repeat(300));
  const again = await openStore(t, { directory });
  assert.equal(await again.store.keys.look(orders, "ids", "=1", []), "none");
  assert.equal(await again.store.keys.look(bills, "ids", "=1", []), "stored");
  await again.store.keys.confirm(orders, "ids", "=2", false, "run");
  const names = await readdir(directory);
  assert.equal(names.filter((name) => name.startsWith("shop.sqlite.corrupt-")).length, 1, names.join());
  assert.deepEqual(
    again.store.problems().map(({ code }) => code),
    ["state_set_aside"],
  );
  assert.ok(
    again.log.some((line) => /^ERROR the state of group 'shop'/.test(line)),
    again.log.join("\n"),
  );
  assert.deepEqual(log, []);
  await again.store.close();
  // As long as the file is there it is reported.
  const later = await openStore(t, { directory });
  assert.equal(await later.store.keys.look(orders, "ids", "=2", []), "stored");
  assert.deepEqual(
    later.store.problems().map(({ code }) => code),
    ["state_set_aside"],
  );
});

test("a file of a newer version is refused and left as it is", async (t) => {
  const directory = await stateDirectory(t);
  const first = await openStore(t, { directory });
  await first.store.keys.confirm(orders, "ids", "=1", false, "run");
  await first.store.close();
  const raise = `new (require("node:sqlite").DatabaseSync)(process.argv[2]).exec("PRAGMA user_version = 99")`;
  await once(new Worker(raise, { eval: true, argv: [join(directory, "shop.sqlite")] }), "exit");
  const again = await openStore(t, { directory });
  await assert.rejects(again.store.keys.look(orders, "ids", "=1", []), {
    code: "store_failed",
    message: /newer version/,
  });
  assert.deepEqual(
    again.store.problems().map(({ code }) => code),
    ["state_failing"],
  );
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.includes("corrupt")),
    [],
  );
});

test("requests of a moment are answered in their order", async (t) => {
  const { store } = await openStore(t);
  const [first, second, , twin, , last] = await Promise.all([
    store.keys.claim(orders, "ids", "=1", 1, false, []),
    store.keys.claim(orders, "ids", "=1", 2, false, []),
    store.keys.confirm(orders, "ids", "=1", false, "run"),
    store.keys.look(orders, "ids", "=1", []),
    store.keys.release(orders, "ids", "=1"),
    store.keys.look(orders, "ids", "=1", []),
  ]);
  assert.deepEqual([first, second, last], ["new", "taken", "none"]);
  // The turn of the group may end, and its keys be stored, between any two of them.
  assert.ok(twin === "taken" || twin === "stored", twin);
  assert.equal(await store.keys.look(orders, "ids", "=1", []), "none");
});

test("nothing is started for a store that is not asked, and one that is closed refuses", async (t) => {
  const { store, directory } = await openStore(t);
  assert.deepEqual(await readdir(directory), []);
  await store.close();
  await assert.rejects(store.keys.look(orders, "ids", "=1", []), { code: "store_failed" });
});

test("on a full disk a change fails as a whole; what reads goes on, and so does all when there is room", async (t) => {
  const directory = await smallDisk(t);
  if (directory === undefined) return;
  const { store, log } = await openStore(t, { directory: join(directory, "state") });
  await store.keys.confirm(orders, "ids", "=before", false, "run");
  const ballast = join(directory, "ballast");
  await fill(ballast);
  const many = await Promise.allSettled(
    Array.from({ length: 2000 }, (_, i) => store.keys.confirm(orders, "ids", `=${i} ${"x".repeat(200)}`, false, "run")),
  );
  const refused = many.filter(({ status }) => status === "rejected");
  assert.ok(refused.length > 0);
  for (const one of refused) assert.equal((one as PromiseRejectedResult).reason.code, "disk_full");
  assert.deepEqual(
    store.problems().map(({ code }) => code),
    ["state_full"],
  );
  assert.ok(
    log.some((line) => line.includes("the disk is full")),
    log.join("\n"),
  );
  assert.equal(await store.keys.look(orders, "ids", "=before", []), "stored");
  await rm(ballast);
  await store.keys.confirm(orders, "ids", "=after", false, "run");
  const stored = many.length - refused.length;
  assert.equal((await store.repositories.list(orders))[0]?.keys, stored + 2);
  for (const [i, { status }] of many.entries()) {
    const known = await store.keys.look(orders, "ids", `=${i} ${"x".repeat(200)}`, []);
    assert.equal(known, status === "fulfilled" ? "stored" : "none", `key ${i}`);
  }
});

/** A file system of one MiB; undefined where none can be mounted, and then the test is skipped. */
async function smallDisk(t: TestContext): Promise<string | undefined> {
  const path = await mkdtemp(join(tmpdir(), "bulkhead-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], { stdio: "pipe" });
  } catch {
    await rm(path, { recursive: true });
    t.skip("this user may not mount file systems");
    return undefined;
  }
  t.after(async () => {
    execFileSync("umount", ["-l", path]);
    await rm(path, { recursive: true });
  });
  return path;
}

async function fill(path: string): Promise<void> {
  for (const bytes of [4096, 512]) {
    try {
      for (;;) await appendFile(path, Buffer.alloc(bytes));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
    }
  }
}
