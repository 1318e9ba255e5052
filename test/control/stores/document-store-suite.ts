/** The tests that every document store passes, on files and in memory. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import type { DocumentStore } from "../../../src/control/stores/documents.ts";
import { refusal } from "./flow-store-suite.ts";

export interface DocumentBench {
  readonly store: DocumentStore;
  /** The store as it is after a restart, not yet loaded. */
  restart(): DocumentStore;
}

export function documentStoreSuite(name: string, open: () => Promise<DocumentBench>): void {
  describe(name, () => {
    test("a document is stored as it was sent and is present after a restart", async () => {
      const { store, restart } = await open();
      assert.deepEqual(await store.load(), { documents: [], broken: [] });
      const text = '\ufeff{"a": "ä\u{1f600}",\r\n "b": 1}\n';
      const version = await store.put("orders", text);
      const { lastModified, ...facts } = version;
      const hash = createHash("sha256").update(text, "utf8").digest("hex");
      assert.deepEqual(facts, { id: "orders", revision: 1, hash, bytes: Buffer.byteLength(text) });
      assert.match(lastModified, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.deepEqual(store.list(), [version]);
      assert.deepEqual(await store.read("orders"), { ...version, text });
      const again = restart();
      assert.deepEqual(await again.load(), { documents: [{ ...version, text }], broken: [] });
      assert.deepEqual(again.list(), [version]);
      assert.deepEqual(await again.read("orders"), { ...version, text });
    });

    test("an empty text can be stored", async () => {
      const { store, restart } = await open();
      await store.load();
      await store.put("orders", "");
      assert.equal((await restart().load()).documents[0]?.text, "");
    });

    test("documents are listed in the order of their ids", async () => {
      const { store, restart } = await open();
      await store.load();
      for (const id of ["b", "a.c", "a", "B2", "a.1.removed"]) await store.put(id, id);
      const ids = ["B2", "a", "a.1.removed", "a.c", "b"];
      assert.deepEqual(
        store.list().map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        (await restart().load()).documents.map(({ id }) => id),
        ids,
      );
    });

    test("numbers increase with each put, and continue after a removal and a restart", async () => {
      const { store, restart } = await open();
      await store.load();
      assert.equal((await store.put("a", "1")).revision, 1);
      const second = await store.put("a", "2");
      assert.equal(second.revision, 2);
      assert.deepEqual(await store.put("a", "2"), second, "the same text is the same version");
      assert.equal(await store.remove("a"), true);
      assert.equal((await store.put("a", "3")).revision, 3);
      assert.equal(await store.remove("a"), true);
      const again = restart();
      assert.deepEqual(await again.load(), { documents: [], broken: [] });
      assert.equal((await again.put("a", "4")).revision, 4);
      const third = restart();
      assert.equal((await third.load()).documents[0]?.revision, 4);
      assert.equal((await third.put("a", "5")).revision, 5);
      assert.equal((await third.put("b", "1")).revision, 1);
    });

    test("a removed document is absent, and the removal of an absent one returns false", async () => {
      const { store, restart } = await open();
      await store.load();
      await store.put("a", "1");
      assert.equal(await store.remove("b"), false);
      assert.equal(await store.remove("a"), true);
      assert.equal(await store.remove("a"), false);
      assert.equal(await store.read("a"), undefined);
      assert.deepEqual(store.list(), []);
      assert.deepEqual(await restart().load(), { documents: [], broken: [] });
    });

    test("names that are not ids, and ids that differ only by case, are refused", async () => {
      const { store } = await open();
      await store.load();
      await store.put("Orders", "1");
      await assert.rejects(store.put("orders", "2"), refusal("id_case_clash", /'Orders' differ only by case/));
      await assert.rejects(store.put("../x", "2"), refusal("bad_id", /is not a thing id/));
      await assert.rejects(store.remove("con"), refusal("bad_id"));
      await assert.rejects(store.put("a", "\ud800"), refusal("bad_request", /surrogate/));
      assert.equal(await store.remove("orders"), false);
      await store.remove("Orders");
      assert.equal((await store.put("orders", "2")).revision, 1);
    });

    test("changes of one id are made in order, and the last one stays", async () => {
      const { store, restart } = await open();
      await store.load();
      const texts = Array.from({ length: 20 }, (_, n) => `version ${n + 1}`);
      const versions = await Promise.all(texts.map((text) => store.put("a", text)));
      assert.deepEqual(
        versions.map(({ revision }) => revision),
        texts.map((_, n) => n + 1),
      );
      assert.equal((await restart().load()).documents[0]?.text, "version 20");
    });
  });
}
