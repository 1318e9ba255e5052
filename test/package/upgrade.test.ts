/**
 * The package of the last commit with libraries beside it, this package, and the other one again, on the same directories. docs/upgrading.md
 * says what is kept.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/checkout.ts";
import { eventually } from "../support/clock.ts";
import { bothPackages, type Failed, noEarlier, type Running, start } from "../support/earlier-package.ts";
import { folderOf, writeFiles } from "../support/folders.ts";
import { startHttpServer } from "../support/http-server.ts";
import { succeed } from "../support/packed.ts";
import { part } from "../support/part.ts";
import { projectOf, rowsOf } from "../support/upgrade-project.ts";

/** A message whose first run is under way is listed, too. */
const hasFailed = ({ attempts }: Failed): boolean => attempts > 0;

test("flows, revisions, documents, keys, failed messages and rows are there after an upgrade, and after the way back", {
  skip: noEarlier,
}, async (t) => {
  let isDown = true;
  const server = await startHttpServer(t, (_, response) => {
    response.statusCode = isDown ? 503 : 200;
    response.end();
  });
  const [before, after] = await part(t, "both packages are made", bothPackages);
  const data = folderOf(t, projectOf("first", server.url));
  const egress = { EGRESS_ALLOW: server.host };
  const versionOf = (main: string): Promise<string> => succeed(["node", main, "--version"], data);
  assert.notEqual(await versionOf(before), await versionOf(after));
  const revisions = async (runtime: Running): Promise<readonly number[]> =>
    (JSON.parse(await runtime.bulkhead("rollback", "orders", "--list", "--json")) as { revision: number }[]).map(
      ({ revision }) => revision,
    );

  const one = await part(t, "the earlier package serves, and keeps a failed message", async () => {
    const first = await start(t, before, data, egress);
    await first.bulkhead("deploy", "flows");
    writeFiles(data, projectOf("second", server.url));
    await first.bulkhead("deploy", "flows");
    assert.deepEqual([await first.order("1"), await first.order("1")], ["20 second", "duplicate second"]);
    assert.equal(await first.bulkhead("call", "notes", "-d", ""), "1");
    await first.bill("one");
    const [message] = await eventually(async () => {
      const waiting = (await first.failed()).filter(hasFailed);
      return waiting.length === 1 ? waiting : undefined;
    }, "a failed message");
    await first.stop();
    return message;
  });

  const left = await part(t, "this package serves the same, retries a message and puts a revision back", async () => {
    const second = await start(t, after, data, egress);
    assert.deepEqual([await second.order("1"), await second.order("2")], ["duplicate second", "20 second"]);
    assert.equal(await second.bulkhead("call", "notes", "-d", ""), "2");
    assert.deepEqual(await revisions(second), [2, 1]);
    assert.deepEqual(await second.failed(), [one]);
    await second.bill("two");
    await eventually(async () => (await second.failed()).filter(hasFailed).length === 2, "another failed message");
    isDown = false;
    await second.bulkhead("failed", "retry", one?.id ?? "", "--wait");
    await second.bulkhead("rollback", "orders");
    assert.deepEqual([await second.order("2"), await second.order("3")], ["duplicate first", "20 first"]);
    const messages = await second.failed();
    assert.deepEqual(messages.map(({ state }) => state).sort(), ["retried", "waiting"]);
    await second.stop();
    return messages;
  });

  await part(t, "the earlier package serves the same again", async () => {
    // 0.1.0 does not look for the key that this package has made.
    const key = readFileSync(join(data, "data/data.key"), "utf8").trim();
    const third = await start(t, before, data, { ...egress, DATA_KEY: key });
    for (const id of ["1", "2", "3"]) assert.equal(await third.order(id), "duplicate first");
    assert.equal(await third.bulkhead("call", "notes", "-d", ""), "3");
    assert.deepEqual(await revisions(third), [3, 2, 1]);
    assert.deepEqual(await third.failed(), left);
    await third.bulkhead("failed", "retry", left.find(({ state }) => state === "waiting")?.id ?? "", "--wait");
    assert.deepEqual(
      server.heard.map(({ body }) => body),
      ["one", "two", "one", "two"],
    );
    await third.stop();
  });

  const page = readFileSync(join(root, "docs/upgrading.md"), "utf8");
  const { version } = JSON.parse(readFileSync(join(data, "data/version.json"), "utf8")) as { version: number };
  const rows = [...page.matchAll(/^\| \d+\.\d+\.\d+ \| (\d+) \| \d+ \| \d+ \|$/gm)].map(([, number]) => Number(number));
  assert.deepEqual([...new Set(rows)], [version], "docs/upgrading.md names the form of the directory");
});

test("a row that was under way at each loss is counted on after an upgrade, and counted anew after the way back", {
  skip: noEarlier,
}, async (t) => {
  const heard = (): number => server.heard.length;
  let held: ServerResponse | undefined;
  const server = await startHttpServer(t, (_, response) => {
    held = response;
  });
  const [before, after] = await part(t, "both packages are made", bothPackages);
  const data = folderOf(t, rowsOf(server.url));
  const env = { EGRESS_ALLOW: server.host, DATA_KEY: "0".repeat(64) };
  /** Starts a runtime, and ends it with the run of a row under way. */
  const lose = async (main: string): Promise<void> => {
    const earlier = heard();
    const runtime = await start(t, main, data, env);
    await eventually(() => heard() > earlier, "the row is under way");
    await runtime.kill();
  };
  const kept = async (runtime: Running): Promise<Readonly<Record<string, string | undefined>>> => {
    const keys = (await runtime.get("/flows/rows/state/sql:rows")) as { key: string; value?: string }[];
    return Object.fromEntries(keys.map(({ key, value }) => [key, value]));
  };

  await part(t, "the earlier package is lost twice", async () => {
    const first = await start(t, before, data, env);
    await first.bulkhead("deploy", "flows");
    await first.bulkhead("call", "fill", "-d", "");
    await eventually(() => heard() === 1, "the row is under way");
    await first.kill();
    await lose(before);
  });

  await part(t, "this package is lost twice more, and then gives the row up", async () => {
    await lose(after);
    await lose(after);
    const last = await start(t, after, data, env);
    await eventually(async () => (await last.failed()).length === 1, "the row is given up");
    assert.equal(heard(), 4);
    await eventually(
      async () => JSON.stringify(await kept(last)) === '{"the source runs":"running"}',
      "nothing of the earlier package is left",
    );
    await last.bulkhead("call", "fill", "-d", "");
    await eventually(() => heard() === 5, "another row is under way");
    await last.kill();
    await lose(after);
  });

  await part(t, "the earlier package finds the loss, and lists and removes what this one has kept", async () => {
    const again = await start(t, before, data, env);
    await eventually(() => heard() === 7, "the row is under way");
    const keys = Object.keys(await kept(again));
    assert.deepEqual(keys.includes("the source runs") && keys.includes("messages are counted"), true);
    held?.end();
    await eventually(
      async () => !Object.keys(await kept(again)).includes("messages are counted"),
      "all rows have been offered",
    );
    assert.deepEqual(
      await again.get("/flows/rows/state").then((all) => (all as { kind: string }[])[0]?.kind),
      "idempotent",
    );
    await again.bulkhead("delete", "flows", "rows");
    await again.stop();
  });
});
