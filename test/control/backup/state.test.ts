/** The state of flows in backups: copies while keys come, and what a restored runtime knows. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { restoreBackup } from "../../../src/control/backup/restore.ts";
import { epochMs, eventually } from "../../support/clock.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { openStore, stateDirectory } from "../../support/state/open-store.ts";
import { newDirectory } from "./support.ts";

const claim = [7, false, []] as const;
const groups = ["shop", "bank"];
const owner = { flowId: "shop.orders", incarnation: 1 };

test("copies are made while keys are confirmed: each has all that was confirmed before, and leaves nothing behind", async (t) => {
  const { store, directory } = await openStore(t);
  const confirmed = new Map(groups.map((group) => [group, 0]));
  const confirm = async (group: string, n: number): Promise<void> => {
    const owner = { flowId: `${group}.orders`, incarnation: 1 };
    await store.keys.confirm(owner, "ids", `=${n}${"x".repeat(500)}`, false, "run");
    confirmed.set(group, n);
  };
  for (const group of groups) await Promise.all(Array.from({ length: 2000 }, (_, n) => confirm(group, n + 1)));
  // What a killed process has left.
  await writeFile(join(directory, ".shop.0123456789abcdef01234567.copy"), "half");
  let stopped = false;
  const storms = groups.map(async (group) => {
    for (let n = 2001; !stopped; n += 1) await confirm(group, n);
  });
  const copied: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = new Map(confirmed);
    const restored = await stateDirectory(t);
    for await (const { name, bytes, content } of store.copies()) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content()) chunks.push(chunk);
      const copy = Buffer.concat(chunks);
      assert.equal(copy.length, bytes);
      await writeFile(join(restored, name), copy);
      copied.push(name);
    }
    const again = (await openStore(t, { directory: restored })).store;
    for (const group of groups) {
      const owner = { flowId: `${group}.orders`, incarnation: 1 };
      const [repository] = await again.repositories.list(owner);
      assert.ok((repository?.keys ?? 0) >= (before.get(group) ?? 0), `${group}: ${repository?.keys}`);
      const last = `=${before.get(group)}${"x".repeat(500)}`;
      assert.equal(await again.keys.claim(owner, "ids", last, ...claim), "stored");
    }
  }
  stopped = true;
  await Promise.all(storms);
  assert.deepEqual(copied, ["bank.sqlite", "shop.sqlite", "bank.sqlite", "shop.sqlite", "bank.sqlite", "shop.sqlite"]);
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.endsWith(".copy")),
    [],
  );
});

test("copies end while what is kept is removed, which leaves the file behind them", async (t) => {
  const { store, directory } = await openStore(t);
  const word = "a-body-to-be-removed";
  let isOver = false;
  let copies = 0;
  const copying = (async () => {
    while (!isOver)
      for await (const copy of store.copies()) {
        for await (const _ of copy.content());
        copies += 1;
      }
  })();
  for (let round = 0; round < 40 || copies < 5; round += 1) {
    for (let i = 0; i < 20; i += 1) {
      const id = `${round}-${i}`;
      const message = {
        id,
        routeId: word,
        revision: 1,
        at: epochMs(),
        runId: id,
        trigger: "{}",
        form: "{}",
        head: "h",
      };
      const failure = { runId: id, at: epochMs(), error: '{"type":"x"}', deadLetter: false };
      await store.failed.add(owner, { ...message, alike: "", body: new Uint8Array(20_000).fill(i) }, failure);
    }
    if (round % 3 === 0) await store.failed.discard(owner, {});
    else await store.owners.forget(owner);
  }
  await store.owners.forget(owner);
  isOver = true;
  await copying;
  const removed = async (): Promise<boolean> => {
    const names = (await readdir(directory)).filter((name) => name.startsWith("shop."));
    const contents = await Promise.all(names.map((name) => readFile(join(directory, name))));
    return contents.every((content) => !content.includes(word));
  };
  await eventually(removed, "nothing of it is left");
});

test("a store without files has no copies, and one that closes finishes the copy that it makes", async (t) => {
  const { store } = await openStore(t);
  assert.deepEqual((await store.copies().next()).done, true);
  await store.keys.confirm({ flowId: "shop.orders", incarnation: 1 }, "ids", "=1", false, "run");
  const copies = store.copies();
  const copied = copies.next().catch((error: Error) => error);
  await store.close();
  const result = await copied;
  // It was made, or refused before it was begun.
  if (result instanceof Error) assert.match(result.message, /shutting down/);
  else assert.equal(result.value?.name, "shop.sqlite");
  await copies.return(undefined);
});

const orders = `
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - setBody: { constant: duplicate }
        - idempotentConsumer: { id: seen, header: id, steps: [{ setBody: { constant: new } }] }
`;

test("a restored flow knows the messages that were processed before the backup, and not those after it", async (t) => {
  const path = newDirectory(t);
  const send = async (app: TestApp, id: string) => (await app.post("/api/orders", "", { id })).text();
  const app = await startTestApp(t);
  assert.equal((await app.put("shop.orders", orders)).status, 201);
  assert.equal(await send(app, "1"), "new");
  const archive = join(path, "a.tar");
  await writeFile(archive, new Uint8Array(await (await app.api("/backup")).arrayBuffer()));
  assert.equal(await send(app, "2"), "new");
  const directory = join(path, "restored");
  await mkdir(directory);
  await restoreBackup({ archive, directory, start: false });
  const restored = await startTestApp(t, { directory });
  assert.deepEqual([await send(restored, "1"), await send(restored, "2")], ["duplicate", "new"]);
});
