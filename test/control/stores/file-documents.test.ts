/** The document store on files: what every document store does, and what is on the disk. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { FileDocuments } from "../../../src/control/stores/file-documents.ts";
import { documentStoreSuite } from "./document-store-suite.ts";
import { refusal } from "./flow-store-suite.ts";

const root = mkdtempSync(join(tmpdir(), "bulkhead-documents-"));
after(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

function open() {
  const directory = join(root, String(++count), "things");
  const restart = () => new FileDocuments({ directory, what: "thing" });
  return { directory, store: restart(), restart };
}

documentStoreSuite("document store on files", async () => open());

describe("files of the document store", () => {
  test("a file holds one line of metadata and the text, and only its owner may read it", async () => {
    const { store, directory } = open();
    await store.load();
    const { hash, lastModified } = await store.put("orders", "{\r\n}\n");
    assert.deepEqual(await readdir(directory), ["orders.document"]);
    const path = join(directory, "orders.document");
    const [head, ...text] = (await readFile(path, "utf8")).split("\n");
    assert.deepEqual(JSON.parse(head ?? ""), { revision: 1, savedAt: lastModified, hash });
    assert.equal(text.join("\n"), "{\r\n}\n");
    assert.equal((await stat(path)).mode & 0o077, 0);
  });

  test("after a removal an empty file keeps the number until the id is stored again", async () => {
    const { store, directory } = open();
    await store.load();
    await store.put("orders", "1");
    await store.put("orders", "2");
    await store.remove("orders");
    assert.deepEqual(await readdir(directory), ["orders.2.removed"]);
    assert.equal((await stat(join(directory, "orders.2.removed"))).size, 0);
    await store.put("orders", "3");
    assert.deepEqual(await readdir(directory), ["orders.document"]);
  });

  test("load removes what interrupted changes left and nothing else", async () => {
    const { store, restart, directory } = open();
    await store.load();
    await store.put("orders", "1");
    await store.put("orders", "2");
    await writeFile(join(directory, ".orders.document.0123456789ab.tmp"), "torn");
    await writeFile(join(directory, "orders.2.removed"), "");
    await writeFile(join(directory, "gone.1.removed"), "");
    await writeFile(join(directory, "gone.3.removed"), "");
    await writeFile(join(directory, "mine.txt"), "kept");
    const again = restart();
    assert.equal((await again.load()).documents[0]?.text, "2");
    assert.deepEqual((await readdir(directory)).sort(), ["gone.3.removed", "mine.txt", "orders.document"]);
    assert.equal((await again.put("gone", "x")).revision, 4);
  });

  test("broken files are listed with their problem and left unchanged, and the good ones load", async () => {
    const { store, restart, directory } = open();
    await store.load();
    for (const id of ["cut", "empty", "good", "headless"])
      for (let n = 0; n < 3; n++) await store.put(id, `${id} ${n}`);
    const path = (id: string) => join(directory, `${id}.document`);
    const whole = await readFile(path("cut"));
    await writeFile(path("cut"), whole.subarray(0, -1));
    await writeFile(path("empty"), "");
    await writeFile(path("headless"), "{}\ntext");
    await mkdir(path("directory"));
    await symlink("good.document", path("link"));
    await writeFile(path("GOOD"), whole);
    await writeFile(path("a b"), whole);
    const again = restart();
    const { documents, broken } = await again.load();
    const problems = Object.fromEntries(broken.map(({ id, problem }) => [id, problem]));
    assert.deepEqual(
      documents.map(({ id }) => id),
      ["GOOD"],
      "of two that differ by case, the first",
    );
    assert.match(problems["cut"] ?? "", /the text is not the one that was kept: send it again/);
    assert.match(problems["empty"] ?? "", /damaged/);
    assert.match(problems["headless"] ?? "", /damaged/);
    assert.match(problems["directory"] ?? "", /damaged: send it again/);
    assert.match(problems["link"] ?? "", /damaged: send it again/);
    assert.match(problems["good"] ?? "", /'good' and 'GOOD' differ only by case/);
    assert.match(problems["a b.document"] ?? "", /not an id/);
    assert.deepEqual(await readFile(path("cut")), whole.subarray(0, -1));

    assert.equal((await again.put("cut", "new")).revision, 4, "its number is in what is left of it");
    assert.ok((await again.put("headless", "new")).revision > 3, "a number that it cannot have had");
    assert.equal(await again.remove("empty"), true);
    await again.put("directory", "x");
    assert.deepEqual((await restart().load()).broken.map(({ id }) => id).sort(), ["a b.document", "good", "link"]);
  });
});

test("a file in the place of the directory: there are no documents, and none can be stored", async () => {
  const { directory, restart } = open();
  await mkdir(join(directory, ".."), { recursive: true });
  await writeFile(directory, "in the way");
  const store = restart();
  assert.deepEqual(await store.load(), { documents: [], broken: [] });
  await assert.rejects(store.put("orders", "1"), refusal("store_failed"));
});
