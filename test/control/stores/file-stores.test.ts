/** The store on files: what every store does, and what is on the disk. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { content, flowStoreSuite, refusal } from "./flow-store-suite.ts";
import { hookedFs } from "./hooked-fs.ts";
import { openFiles } from "./store-directory.ts";

flowStoreSuite("flow store on files", async () => openFiles());

describe("files of the flow store", () => {
  test("the YAML in the routes directory is the flow, byte for byte", async () => {
    const { store, routes, data } = openFiles();
    await store.load();
    const yaml = "\ufeff- route: \u{1f600}\r\n";
    await store.keep("orders", content(yaml));
    assert.deepEqual(await readFile(join(routes, "orders.yaml")), Buffer.from(yaml, "utf8"));
    assert.equal((await store.read("orders"))?.yaml, yaml);
    assert.deepEqual(await readdir(routes), ["orders.yaml"]);
    assert.deepEqual((await readdir(join(data, "flows", "orders"))).sort(), ["1.json", "head.json"]);
    assert.equal(
      (await stat(join(data, "flows", "orders", "1.json"))).mode & 0o077,
      0,
      "params are for the owner only",
    );
  });

  test("the record is on the disk before the YAML is renamed, and the YAML before the head", async () => {
    const operations: string[] = [];
    const { store } = openFiles(hookedFs({ before: (point) => operations.push(point) }));
    await store.load();
    await store.keep("orders", content("# one"));
    operations.length = 0;
    await store.keep("orders", content("# two"));
    assert.deepEqual(operations.toSorted(), [
      ...["flow.make", "flows.make"],
      ...["head.create", "head.rename", "head.sync", "head.sync-renamed", "head.write"],
      ...["revision.create", "revision.rename", "revision.sync", "revision.sync-renamed", "revision.write"],
      "routes.make",
      ...["yaml.create", "yaml.rename", "yaml.sync", "yaml.sync-renamed", "yaml.write"],
    ]);
    const orders = [
      ["revision.write", "revision.sync", "yaml.rename"],
      ["revision.rename", "revision.sync-renamed", "yaml.rename"],
      ["yaml.write", "yaml.sync", "yaml.rename", "yaml.sync-renamed", "head.rename"],
      ["head.write", "head.sync", "head.rename", "head.sync-renamed"],
    ];
    for (const order of orders) {
      assert.deepEqual(
        operations.filter((operation) => order.includes(operation)),
        order,
      );
    }
  });

  test("the directories above are synced before anything is written into them, once per process", async () => {
    const operations: string[] = [];
    const { store } = openFiles(hookedFs({ before: (point) => operations.push(point) }));
    await store.load();
    assert.deepEqual(operations, ["routes.make", "routes.sync", "routes.make", "flows.make"]);
    operations.length = 0;
    await store.keep("orders", content("# one"));
    const first = (point: string) => operations.indexOf(point);
    const last = (point: string) => operations.lastIndexOf(point);
    assert.ok(first("flows.sync-above") < last("flows.sync-above"), "data, and all above it");
    assert.ok(last("flows.sync-above") < first("flow.make"));
    assert.ok(first("flows.sync") < first("revision.create"));
    assert.ok(last("routes.sync-above") < first("yaml.create"));
    operations.length = 0;
    await store.keep("others", content("# two"));
    assert.deepEqual(operations.slice(0, 4), ["flows.make", "flow.make", "flows.sync", "revision.create"]);
    assert.ok(!operations.some((point) => point.endsWith("sync-above")));
  });

  test("DELETE unlinks the YAML durably before the head is touched", async () => {
    const operations: string[] = [];
    const { store } = openFiles(hookedFs({ before: (point) => operations.push(point) }));
    await store.load();
    await store.keep("orders", content("# one"));
    operations.length = 0;
    await store.remove("orders");
    assert.deepEqual(operations.slice(0, 2), ["yaml.unlink", "yaml.sync-unlinked"]);
    assert.ok(operations.indexOf("head.rename") > 1);
  });

  test("boot removes temp files that an interrupted write left and nothing else", async () => {
    const { store, restart, routes, data } = openFiles();
    await store.load();
    await store.keep("orders", content("# one"));
    await writeFile(join(routes, ".orders.yaml.0123456789ab.tmp"), "torn");
    await writeFile(join(routes, ".mine.tmp"), "kept");
    await writeFile(join(data, "flows", "orders", ".2.json.0123456789ab.tmp"), "torn");
    await mkdir(join(data, "flows", "gone"));
    await writeFile(join(data, "flows", "gone", "1.json"), "a first PUT that never was");
    await restart().load();
    assert.deepEqual((await readdir(routes)).sort(), [".mine.tmp", "orders.yaml"]);
    assert.deepEqual((await readdir(join(data, "flows", "orders"))).sort(), ["1.json", "head.json"]);
    assert.deepEqual(await readdir(join(data, "flows", "gone")), []);
  });

  test("entries that are not plain text files are listed with the reason, and the good flows load", async () => {
    const { store, routes, data } = openFiles();
    const outside = join(data, "outside.yaml");
    await mkdir(data);
    await writeFile(outside, "# outside");
    await writeFile(join(routes, "good.yaml"), "# good");
    await mkdir(join(routes, "sub"));
    await writeFile(join(routes, "sub", "inner.yaml"), "# not directly in it");
    await symlink(join("sub", "inner.yaml"), join(routes, "inside.yaml"));
    await symlink(outside, join(routes, "outside.yaml"));
    await symlink("nothing", join(routes, "dangling.yaml"));
    await symlink("loop.yaml", join(routes, "loop.yaml"));
    await mkdir(join(routes, "directory.yaml"));
    await writeFile(join(routes, "binary.yaml"), Buffer.from([0x23, 0xff, 0xfe]));
    execFileSync("mkfifo", [join(routes, "fifo.yaml")]);
    assert.deepEqual(
      (await store.load()).map(({ id }) => id),
      ["good", "inside"],
    );
    const problems = Object.fromEntries((await store.list()).map(({ id, problem }) => [id, problem]));
    assert.match(problems["outside"] ?? "", /symbolic link that leads out/);
    assert.match(problems["dangling"] ?? "", /symbolic link/);
    assert.match(problems["loop"] ?? "", /symbolic link/);
    assert.match(problems["directory"] ?? "", /directory/);
    assert.match(problems["binary"] ?? "", /not UTF-8/);
    assert.match(problems["fifo"] ?? "", /not a regular file/);
    assert.equal(problems["inside"], undefined);
    await assert.rejects(store.keep("fifo", content("# x")), refusal("store_failed", /special file/));
    await assert.rejects(store.keep("inside", content("# x")), refusal("store_failed", /symbolic link/));
    await assert.rejects(store.remove("directory"), refusal("store_failed", /is a directory/));
  });

  test("a file that may not be read is listed with the reason", {
    skip: process.getuid?.() === 0 && "root reads everything",
  }, async () => {
    const { store, routes, edit } = openFiles();
    await edit("secret.yaml", "# secret");
    await chmod(join(routes, "secret.yaml"), 0);
    assert.deepEqual(await store.load(), []);
    assert.match((await store.list())[0]?.problem ?? "", /EACCES/);
  });

  test("an unchanged file is not read again, and a changed file is", async () => {
    const reads: string[] = [];
    const watched = hookedFs({});
    const { store, edit, routes } = openFiles({
      ...watched,
      read: (path, mostBytes) => {
        reads.push(path);
        return watched.read(path, mostBytes);
      },
    });
    await edit("old.yaml", "# old");
    const [first] = await store.list();
    const [second] = await store.list();
    assert.deepEqual(second, first);
    assert.equal(reads.length, 2, "a file this young may change without a new time of modification");
    await edit("old.yaml", "# new");
    assert.notEqual((await store.list())[0]?.hash, first?.hash);
    assert.deepEqual(new Set(reads), new Set([join(routes, "old.yaml")]));
  });

  test("a flow with a damaged record or head does not load until a new PUT repairs it", async () => {
    const { store, restart, data } = openFiles();
    await store.load();
    for (const id of ["head", "record", "missing", "good"])
      await store.keep(id, content("# one", { params: { a: 1 } }));
    await writeFile(join(data, "flows", "head", "head.json"), "{");
    await writeFile(join(data, "flows", "record", "1.json"), JSON.stringify({ revision: 1 }));
    await writeFile(join(data, "flows", "missing", "1.json"), "").then(() => null);
    const next = restart();
    assert.deepEqual(
      (await next.load()).map(({ id }) => id),
      ["good"],
    );
    for (const { id, problem } of await next.list()) {
      if (id === "good") assert.equal(problem, undefined);
      else assert.match(problem ?? "", /damaged.*deploy it again/, id);
    }
    await assert.rejects(next.setState("head", "stopped"), refusal("store_failed", /damaged/));
    assert.equal((await next.keep("head", content("# two"))).revision, 2);
    assert.equal((await next.list()).find(({ id }) => id === "head")?.problem, undefined);
    assert.deepEqual(
      (await restart().load()).map(({ id }) => id),
      ["good", "head"],
    );
  });

  test("without a writable data directory the flows load with a warning", async () => {
    const { store, data, edit } = openFiles();
    await writeFile(data, "a file where the directory should be");
    await edit("orders.yaml", "# one");
    const [flow] = await store.load();
    assert.equal(flow?.id, "orders");
    assert.match(flow?.warning ?? "", /could not be recorded/);
    await store.setState("orders", "started");
    await assert.rejects(store.keep("orders", content("# two")), refusal("store_failed"));
    assert.equal((await store.read("orders"))?.yaml, "# one");
  });
});
