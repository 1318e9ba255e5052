/** The servers themselves: they start, keep what they have over a stop, and leave nothing behind. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { databases } from "./databases.ts";

for (const { name, start } of databases) {
  test(`${name} starts, keeps its data over an end and a crash, and is removed`, async (t) => {
    const server = await start();
    t.after(() => server.close());
    await server.query("create table kept (id int)");
    await server.process.stop();
    await assert.rejects(server.query("select 1"), /ECONNREFUSED|ENOENT/);
    await server.process.start();
    await server.query("insert into kept values (7)");
    await server.process.stop("SIGKILL");
    await server.process.start();
    assert.deepEqual(await server.query("select id from kept"), [[7]]);
    await server.close();
    assert.equal(existsSync(server.process.folder), false);
  });
}
