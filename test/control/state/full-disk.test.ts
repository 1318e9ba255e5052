/** A full disk: what frees space works, and the rest goes on by itself behind it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { StateFailure } from "../../../src/control/state/operations.ts";
import { epochMs } from "../../support/clock.ts";
import { smallDisk } from "../../support/small-disk.ts";
import { openStore } from "../../support/state/open-store.ts";

const orders = { flowId: "shop.orders", incarnation: 1 };
const others = { flowId: "mail.others", incarnation: 1 };

for (const frees of ["discard", "forget"] as const) {
  test(`what is kept can be removed on a full disk, and the room is free for others (${frees})`, async (t) => {
    const directory = smallDisk(t, "16m");
    if (directory === undefined) return;
    const { store } = await openStore(t, { directory });
    const keep = (owner: typeof orders, id: string) => {
      const message = {
        id,
        routeId: "in",
        revision: 1,
        at: epochMs(),
        runId: id,
        trigger: "{}",
        form: "{}",
        head: "h",
      };
      const failure = { runId: id, at: epochMs(), error: '{"type":"x"}', deadLetter: false };
      return store.failed.add(owner, { ...message, alike: "", body: new Uint8Array(500_000).fill(id.length) }, failure);
    };
    let kept = 0;
    const full = await (async () => {
      for (;;) await keep(orders, "m".repeat(++kept));
    })().catch((error: unknown) => error);
    assert.ok(full instanceof StateFailure && full.code === "disk_full", String(full));
    await assert.rejects(keep(others, "o"), /the disk is full/);
    if (frees === "discard") assert.equal(await store.failed.discard(orders, {}), kept - 1);
    else await store.owners.forget(orders);
    assert.equal((await keep(others, "o")).count, 1);
    assert.equal((await keep(orders, "again")).count, 1);
  });
}
