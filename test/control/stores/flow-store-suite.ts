/** The tests that every flow store passes, on files and in memory. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import type { FlowStore, RevisionContent } from "../../../src/control/stores/stores.ts";
import { AppError, type ErrorCode } from "../../../src/shared/errors.ts";

export interface StoreBench {
  readonly store: FlowStore;
  /** The store as it is after a restart, not yet loaded. */
  restart(): FlowStore;
  /** Changes the routes directory as an editor does; null deletes. */
  edit(file: string, yaml: string | null): Promise<void>;
}

export const mostBytes = 1000;

export function content(yaml: string, more: Partial<RevisionContent> = {}): RevisionContent {
  return { yaml, params: {}, limits: {}, state: "started", ...more };
}

export function refusal(code: ErrorCode, message: RegExp = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AppError, `an AppError, not ${String(error)}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}

export function flowStoreSuite(name: string, open: () => Promise<StoreBench>): void {
  describe(name, () => {
    test("a kept flow is there after a restart, with its params, limits and state", async () => {
      const { store, restart } = await open();
      assert.deepEqual(await store.load(), []);
      const sent = content("- route: ä\n", {
        params: { a: 1, b: null },
        limits: { queue: 5 },
        record: "off",
        state: "stopped",
      });
      const kept = await store.keep("orders", sent);
      assert.equal(kept.revision, 1);
      assert.equal(kept.hash, createHash("sha256").update("- route: ä\n", "utf8").digest("hex"));
      const [flow, ...others] = await restart().load();
      assert.deepEqual(others, []);
      const { savedAt, ...rest } = flow ?? assert.fail();
      const facts = { revision: 1, incarnation: 1, hash: kept.hash, lastModified: kept.lastModified };
      assert.deepEqual(rest, { id: "orders", ...facts, ...sent });
      assert.match(savedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    });

    test("a flow has an incarnation from its making to its DELETE, over revisions and restarts", async () => {
      const { store, restart } = await open();
      await store.load();
      assert.equal(await store.incarnation("orders"), undefined);
      assert.equal((await store.keep("orders", content("# 1"))).incarnation, 1);
      assert.equal((await store.keep("orders", content("# 2"))).incarnation, 1);
      assert.equal((await restart().load())[0]?.incarnation, 1);
      await store.remove("orders");
      // That of the next one.
      assert.equal(await restart().incarnation("orders"), 3);
      assert.equal((await store.keep("orders", content("# 3"))).incarnation, 3);
      await store.remove("orders", { purge: true });
      assert.equal((await store.keep("orders", content("# 4"))).incarnation, 4);
      assert.equal((await store.read("orders"))?.head?.incarnation, 4);
    });

    test("a flow that is made again has the incarnation of the one before it, when that was to keep its state", async () => {
      const { store, restart } = await open();
      await store.load();
      await store.keep("orders", content("# 1"));
      await store.keep("orders", content("# 2"));
      await store.remove("orders", { keepState: true });
      assert.equal(await restart().incarnation("orders"), 1);
      assert.equal((await restart().keep("orders", content("# 3"))).incarnation, 1);
      await store.remove("orders", { keepState: true });
      // Forgets what is left of the deleted flow.
      await store.remove("orders", { purge: true });
      assert.equal(await store.incarnation("orders"), 4);
    });

    test("flows load in the order of their ids", async () => {
      const { store, restart } = await open();
      await store.load();
      for (const id of ["b", "a.c", "a", "B2"]) await store.keep(id, content(`# ${id}`));
      assert.deepEqual(
        (await restart().load()).map(({ id }) => id),
        (await store.list()).map(({ id }) => id),
      );
      assert.deepEqual((await restart().load()).map(({ id }) => id).sort(), ["B2", "a", "a.c", "b"]);
    });

    test("each keep makes the next revision, and the last ten are listed, newest first", async () => {
      const { store } = await open();
      await store.load();
      for (let n = 1; n <= 12; n++) await store.keep("orders", content(`# ${n}`, { params: { n } }));
      const revisions = await store.revisions("orders");
      assert.deepEqual(
        revisions.map(({ revision, params, yaml }) => [revision, params["n"], yaml]),
        Array.from({ length: 10 }, (_, index) => [12 - index, 12 - index, `# ${12 - index}`]),
      );
      assert.deepEqual(await store.revisions("nobody"), []);
    });

    test("list and read return the file as it is now, with the revision that was kept", async () => {
      const { store, edit } = await open();
      await store.load();
      const kept = await store.keep("orders", content("# one", { params: { a: 1 } }));
      const [listed] = await store.list();
      assert.deepEqual(listed, {
        id: "orders",
        file: "orders.yaml",
        lastModified: kept.lastModified,
        hash: kept.hash,
        bytes: 5,
      });
      await edit("orders.yaml", "# by hand");
      const [edited] = await store.list();
      assert.notEqual(edited?.hash, kept.hash);
      const text = (await store.read("orders")) ?? assert.fail();
      assert.equal(text.yaml, "# by hand");
      assert.equal(text.hash, edited?.hash);
      assert.equal(text.head?.yaml, "# one");
      assert.equal(text.head?.revision, 1);
      assert.deepEqual(text.head?.params, { a: 1 });
      assert.equal(await store.read("nobody"), undefined);
    });

    test("a file that was written by hand becomes a revision at the next boot, with the head's params and state", async () => {
      const { store, restart, edit } = await open();
      await store.load();
      await store.keep("orders", content("# one", { params: { a: 1 }, limits: { queue: 7 } }));
      await store.setState("orders", "stopped");
      await edit("orders.yaml", "# by hand");
      await edit("fresh.yaml", "# fresh");
      assert.equal((await store.read("fresh"))?.head, null);
      const [fresh, orders] = await restart().load();
      assert.deepEqual([fresh?.id, fresh?.revision, fresh?.params, fresh?.state], ["fresh", 1, {}, "started"]);
      assert.deepEqual([orders?.revision, orders?.yaml], [2, "# by hand"]);
      assert.deepEqual([orders?.params, orders?.limits, orders?.state], [{ a: 1 }, { queue: 7 }, "stopped"]);
      assert.deepEqual(
        (await restart().load()).map(({ revision }) => revision),
        [1, 2],
        "and only once",
      );
    });

    test("an old version that is restored by hand is its old revision again, with its params and the present state", async () => {
      const { store, restart, edit } = await open();
      await store.load();
      await store.keep("orders", content("# one", { params: { a: 1 } }));
      await store.keep("orders", content("# two", { params: { a: 2 } }));
      await store.setState("orders", "stopped");
      await edit("orders.yaml", "# one");
      const next = restart();
      const [flow] = await next.load();
      assert.deepEqual([flow?.revision, flow?.params, flow?.state], [1, { a: 1 }, "stopped"]);
      assert.equal((await next.keep("orders", content("# three"))).revision, 3);
    });

    test("the desired state survives a restart, and a keep sets it again", async () => {
      const { store, restart } = await open();
      await store.load();
      await store.keep("orders", content("# one"));
      await store.setState("orders", "stopped");
      assert.equal((await store.read("orders"))?.head?.state, "stopped");
      const again = restart();
      assert.equal((await again.load())[0]?.state, "stopped");
      await again.keep("orders", content("# two"));
      assert.equal((await restart().load())[0]?.state, "started");
      await assert.rejects(store.setState("nobody", "started"), refusal("not_found"));
    });

    test("a removed flow stays removed, and its revisions and their numbers stay", async () => {
      const { store, restart } = await open();
      await store.load();
      await store.keep("orders", content("# one", { params: { a: 1 } }));
      await store.remove("orders");
      await assert.rejects(store.remove("orders"), refusal("not_found", /'orders'/));
      assert.deepEqual(await store.list(), []);
      assert.equal(await store.read("orders"), undefined);
      const next = restart();
      assert.deepEqual(await next.load(), []);
      assert.deepEqual(
        (await next.revisions("orders")).map(({ yaml }) => yaml),
        ["# one"],
      );
      assert.equal((await next.keep("orders", content("# two"))).revision, 2);
      await assert.rejects(next.remove("nobody"), refusal("not_found"));
    });

    test("purge deletes the revisions but not the last number, also after the flow was removed", async () => {
      const { store, restart } = await open();
      await store.load();
      await store.keep("orders", content("# one", { params: { secret: "x" } }));
      await store.remove("orders");
      await store.remove("orders", { purge: true });
      assert.deepEqual(await store.revisions("orders"), []);
      await assert.rejects(store.remove("orders", { purge: true }), refusal("not_found"));
      assert.equal((await store.keep("orders", content("# two"))).revision, 2);
      await store.remove("orders", { purge: true });
      const next = restart();
      assert.deepEqual(await next.load(), []);
      assert.equal((await next.keep("orders", content("# three"))).revision, 3);
    });

    test("a file that is added by hand after a DELETE starts without the deleted flow's params", async () => {
      const { store, restart, edit } = await open();
      await store.load();
      await store.keep("orders", content("# one", { params: { a: 1 }, state: "stopped" }));
      await store.remove("orders");
      await edit("orders.yaml", "# one");
      const [flow] = await restart().load();
      assert.deepEqual([flow?.revision, flow?.params, flow?.state], [2, {}, "started"]);
    });

    test("a flow whose file was deleted by hand is absent after a restart, and returns with its params", async () => {
      const { store, restart, edit } = await open();
      await store.load();
      await store.keep("orders", content("# one", { params: { a: 1 } }));
      await edit("orders.yaml", null);
      assert.deepEqual(await restart().load(), []);
      await edit("orders.yaml", "# one");
      const [flow] = await restart().load();
      assert.deepEqual([flow?.revision, flow?.params], [1, { a: 1 }]);
    });

    test("ids that differ only by case clash", async () => {
      const { store, edit, restart } = await open();
      await store.load();
      await store.keep("Orders", content("# one"));
      await assert.rejects(store.keep("orders", content("# two")), refusal("id_case_clash", /'Orders'/));
      await edit("orders.yaml", "# by hand");
      const next = restart();
      assert.deepEqual(
        (await next.load()).map(({ id }) => id),
        ["Orders"],
      );
      const clash = (await next.list()).find(({ file }) => file === "orders.yaml");
      assert.match(clash?.problem ?? "", /'orders' and 'Orders' differ only by case/);
      await next.remove("orders");
      assert.deepEqual(
        (await next.list()).map(({ problem }) => problem),
        [undefined],
      );
    });

    test("files that are not flows are listed with the rename to make and left unchanged", async () => {
      const { store, edit } = await open();
      await edit("orders.yml", "# a");
      await edit("both.yml", "# b");
      await edit("both.yaml", "# c");
      await edit("My Flöw!.yaml", "# d");
      await edit("con.yaml", "# e");
      await edit("README.md", "text");
      await edit(".hidden.yaml", "# f");
      assert.deepEqual(
        (await store.load()).map(({ id }) => id),
        ["both"],
      );
      const problems = Object.fromEntries((await store.list()).map(({ id, problem }) => [id, problem]));
      assert.deepEqual(Object.keys(problems).sort(), ["My Flöw!.yaml", "both", "both.yml", "con.yaml", "orders.yml"]);
      assert.match(problems["orders.yml"] ?? "", /rename it to 'orders.yaml'/);
      assert.match(problems["both.yml"] ?? "", /'both.yaml' exists already/);
      assert.match(problems["My Flöw!.yaml"] ?? "", /rename it to 'My-Flow.yaml'/);
      assert.match(problems["con.yaml"] ?? "", /device.*rename it to 'flow-con.yaml'/);
      assert.equal(problems["both"], undefined);
      assert.equal((await store.read("orders.yml"))?.yaml, "");
    });

    test("empty and too large files are listed with the reason", async () => {
      const { store, edit } = await open();
      await edit("empty.yaml", "");
      await edit("large.yaml", "#".repeat(mostBytes + 1));
      assert.deepEqual(await store.load(), []);
      const problems = (await store.list()).map(({ problem }) => problem);
      assert.match(problems[0] ?? "", /empty/);
      assert.match(problems[1] ?? "", /1001 bytes.*LIMIT_FLOW_YAML_BYTES \(1000\)/);
    });

    test("a text that could not be loaded again is refused", async () => {
      const { store } = await open();
      await store.load();
      await assert.rejects(store.keep("../x", content("# x")), refusal("bad_id"));
      await assert.rejects(store.remove("../x"), refusal("bad_id"));
      await assert.rejects(store.revisions("../x"), refusal("bad_id"));
      await assert.rejects(store.keep("a", content("")), refusal("flow_invalid", /empty/));
      await assert.rejects(store.keep("a", content("# \ud800")), refusal("flow_invalid", /surrogate/));
      await assert.rejects(store.keep("a", content("ä".repeat(501))), refusal("body_too_large", /1002 bytes/));
      assert.deepEqual(await store.list(), []);
      assert.deepEqual(store.status(), { writable: true });
    });
  });
}
