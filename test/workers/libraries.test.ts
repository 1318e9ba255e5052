/** The client libraries of brokers, mail and file servers in a thread with the rights of a flow: as npm has put them, and in a bundle. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { bundleEntry } from "../../scripts/bundle.ts";
import { threadFlags } from "../../src/control/threads/local/thread-flags.ts";
import { isWithheld } from "../../src/workers/withheld.ts";

const source = new URL("../support/library-worker.ts", import.meta.url);

const loaded = {
  "@platformatic/kafka": "kafka",
  rhea: "rhea",
  "rabbitmq-client": "rabbitmq",
  mqtt: "mqtt",
  nodemailer: "nodemailer",
  ssh2: "ssh2",
  "basic-ftp": "basic-ftp",
};

async function foundIn(entry: URL): Promise<unknown> {
  const worker = new Worker(entry, threadFlags(entry, { network: true }));
  const [found] = (await once(worker, "message")) as [unknown];
  await worker.terminate();
  return found;
}

test("a thread of a flow loads each client library from its sources", async () => {
  assert.deepEqual(await foundIn(source), loaded);
});

test("a thread of a flow loads each client library from a bundle, which needs nothing beside it", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-libraries-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, "package.json"), '{ "type": "module" }');
  await bundleEntry({ file: "test/support/library-worker.ts" }, directory);
  assert.deepEqual(await foundIn(pathToFileURL(join(directory, "library-worker.js"))), loaded);
});

test("a module is withheld from the libraries that are listed, and from what is in their folders", () => {
  assert.equal(isWithheld("debug", "file:///app/node_modules/rhea/lib/log.js"), true);
  assert.equal(isWithheld("debug", "/app/node_modules/mqtt/node_modules/rhea/lib/log.js"), true);
  assert.equal(isWithheld("debug", "C:\\app\\node_modules\\@platformatic\\kafka\\dist\\utils.js"), true);
  assert.equal(isWithheld("node:https", "/app/node_modules/ssh2/lib/http-agents.js"), true);
  assert.equal(isWithheld("https", "/app/node_modules/ssh2-other/index.js"), false);
  assert.equal(isWithheld("debug", "/app/src/workers/flow-worker.ts"), false);
  assert.equal(isWithheld("debug"), false);
  assert.equal(isWithheld("net", "/app/node_modules/ssh2/lib/client.js"), false);
});
