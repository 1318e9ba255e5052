/** Values of keys in the state store: what is durable, when one is put, what it counts, and what an older runtime has left. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openStore, stateDirectory } from "../../support/state/open-store.ts";

const orders = { flowId: "shop.orders", incarnation: 1 };

test("a value that was put is there after a restart, and one that was deleted is not", async (t) => {
  const { store, directory } = await openStore(t);
  assert.equal(await store.values.get(orders, "ids", "=1"), undefined);
  for (const key of ["=1", "=2"])
    assert.equal(await store.values.putIf(orders, "ids", key, undefined, "a", false), "a");
  await store.values.delete(orders, "ids", "=2");
  await store.close();
  const again = (await openStore(t, { directory })).store;
  assert.equal(await again.values.get(orders, "ids", "=1"), "a");
  assert.equal(await again.values.get(orders, "ids", "=2"), undefined);
  assert.equal(await again.values.get({ ...orders, incarnation: 2 }, "ids", "=1"), undefined);
  await again.owners.forget(orders);
  assert.equal(await again.values.get(orders, "ids", "=1"), undefined);
});

test("a value is put only in place of the expected one, and the answer is what is there then", async (t) => {
  const { store } = await openStore(t);
  const put = (expected: string | undefined, value: string) =>
    store.values.putIf(orders, "ids", "=1", expected, value, false);
  assert.equal(await put("a", "b"), undefined);
  assert.equal(await put(undefined, "a"), "a");
  assert.equal(await put(undefined, "b"), "a");
  assert.equal(await put("c", "b"), "a");
  assert.equal(await put("a", "b"), "b");
  assert.equal(await store.values.get(orders, "ids", "=1"), "b");
  // Of several that expect the same, one is first, and the others hear of it.
  assert.deepEqual(await Promise.all(["x", "y", "z"].map((value) => put("b", value))), ["x", "x", "x"]);
});

test("a value counts by its bytes, and no more of them than the flow's bound", async (t) => {
  const { store } = await openStore(t, { stateBytes: 300 });
  const bytes = async (): Promise<number | undefined> => (await store.repositories.list(orders))[0]?.bytes;
  await store.values.putIf(orders, "ids", "=1", undefined, "", false);
  const empty = (await bytes()) ?? 0;
  await store.values.putIf(orders, "ids", "=1", "", "\u00e4".repeat(50), false);
  assert.equal(await bytes(), empty + 100);
  const long = store.values.putIf(orders, "ids", "=1", "\u00e4".repeat(50), "x".repeat(300), false);
  await assert.rejects(long, { code: "limit", message: /stateBytes/ });
  assert.equal(await store.values.get(orders, "ids", "=1"), "\u00e4".repeat(50));
  await store.values.putIf(orders, "ids", "=1", "\u00e4".repeat(50), "x", false);
  assert.equal(await bytes(), empty + 1);
  await store.values.delete(orders, "ids", "=1");
  assert.equal(await bytes(), 0);
});

test("at the bound of keys another value is refused, but not one in place of another; what evicts loses its oldest", async (t) => {
  const { store } = await openStore(t, { stateKeys: 20 });
  const put = (key: string, expected: string | undefined, value: string, evicts: boolean) =>
    store.values.putIf(orders, "ids", key, expected, value, evicts);
  for (let i = 0; i < 20; i += 1) await put(`=${i}`, undefined, "a", false);
  await assert.rejects(put("=x", undefined, "a", false), { code: "limit", message: /stateKeys/ });
  assert.equal(await put("=0", "a", "b", true), "b");
  assert.equal((await store.repositories.list(orders))[0]?.keys, 20);
  assert.equal(await put("=x", undefined, "a", true), "a");
  assert.equal(await store.values.get(orders, "ids", "=1"), undefined);
  assert.equal(await store.values.get(orders, "ids", "=x"), "a");
});

test("a repository of values is listed with them, and removed by one or all; its name is no other kind's", async (t) => {
  const { store, directory } = await openStore(t);
  for (const key of ["=a", "=b", "=c"]) await store.values.putIf(orders, "ids", key, undefined, "1", false);
  await store.close();
  const again = (await openStore(t, { directory })).store;
  const listed = await again.repositories.list(orders);
  assert.deepEqual(
    listed.map(({ kind, name, keys }) => [kind, name, keys]),
    [["values", "ids", 3]],
  );
  const keys = await again.repositories.keys(orders, "ids", "=b", 10);
  assert.deepEqual(
    keys?.map(({ key, value, run }) => [key, value, run]),
    [["=b", "1", ""]],
  );
  await assert.rejects(again.keys.confirm(orders, "ids", "=d", false, "run"), {
    code: "store_failed",
    message: /of the kind values already/,
  });
  assert.equal(await again.repositories.removeKey(orders, "ids", "=a"), 1);
  assert.equal(await again.repositories.remove(orders, "ids"), 2);
  assert.equal(await again.values.get(orders, "ids", "=b"), undefined);
});

test("a file of an older runtime goes on: its keys have empty values, and the first value that is put makes its repository one of values", async (t) => {
  const directory = await stateDirectory(t);
  const file = new DatabaseSync(join(directory, "shop.sqlite"));
  file.exec(`
    CREATE TABLE owners (id INTEGER PRIMARY KEY, flow TEXT NOT NULL, incarnation INTEGER NOT NULL, UNIQUE (flow, incarnation)) STRICT;
    CREATE TABLE repositories (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
      keys INTEGER NOT NULL, bytes INTEGER NOT NULL, UNIQUE (owner, name)) STRICT;
    CREATE TABLE keys (repository INTEGER NOT NULL, key TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (repository, key)) STRICT, WITHOUT ROWID;
    INSERT INTO owners VALUES (1, 'shop.orders', 1);
    INSERT INTO repositories VALUES (1, 1, 'idempotent', 'ids', 2, 136), (2, 1, 'idempotent', 'others', 1, 68);
    INSERT INTO keys VALUES (1, '=1', '', 1000), (1, '=2', '', 2000), (2, '=1', 'run', 1000);
    PRAGMA user_version = 1`);
  file.close();
  const { store } = await openStore(t, { directory });
  assert.equal(await store.values.get(orders, "ids", "=1"), "");
  assert.equal(await store.keys.look(orders, "others", "=1", []), "stored");
  assert.equal(await store.values.putIf(orders, "ids", "=1", "", "a", false), "a");
  await store.values.delete(orders, "ids", "=2");
  await store.values.putIf(orders, "new", "=1", undefined, "a", false);
  await store.close();
  // As the older runtime reads it again, which knows no kind of values.
  const later = new DatabaseSync(join(directory, "shop.sqlite"));
  t.after(() => later.close());
  const rows = later.prepare("SELECT name, kind, keys, bytes FROM repositories ORDER BY name").all();
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ["ids", "idempotent", 1, 69],
      ["new", "idempotent", 1, 69],
      ["others", "idempotent", 1, 68],
    ],
  );
  assert.deepEqual(Object.values(later.prepare("PRAGMA user_version").get() ?? {}), [1]);
});
