/** Options of ftp, ftps and sftp whose effect needs no certain server, against one in memory. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { putConnection } from "../../support/connections.ts";
import { type SftpStandIn, startSftpStandIn } from "../../support/sftp-stand-in.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

async function started(t: TestContext): Promise<{ readonly app: TestApp; readonly server: SftpStandIn }> {
  const server = await startSftpStandIn(t);
  const app = await startTestApp(t);
  const of = (port: number) => ({
    ...{ kind: "sftp", servers: [`127.0.0.1:${port}`], username: "shop", flows: ["*"] },
    options: { knownHosts: server.knownHosts },
  });
  for (const [name, port] of Object.entries({ files: server.port, nowhere: closedPort })) {
    const put = await putConnection(app, name, of(port));
    assert.ok(put.ok, await put.text());
  }
  return { app, server };
}

async function deploy(app: TestApp, id: string, from: string, ...steps: readonly string[]): Promise<string> {
  const put = await app.put(id, `- route: { id: ${id}, from: { uri: "${from}", steps: [${steps.join()}] } }`);
  return put.ok ? "" : await put.text();
}

/** Resolves with the milliseconds from the first look of a consumer to its next. */
async function pauseOf(app: TestApp, id: string): Promise<number> {
  return await eventually(async () => {
    const { consumers = [] } = (await (await app.api(`/flows/${id}`)).json()) as {
      consumers?: readonly { readonly lastPoll: string | null; readonly nextPoll: string | null }[];
    };
    const { lastPoll, nextPoll } = consumers[0] ?? { lastPoll: null, nextPoll: null };
    return lastPoll === null || nextPoll === null ? undefined : Date.parse(nextPoll) - Date.parse(lastPoll);
  }, `the first look of ${id}`);
}

test("backoffMultiplier leaves looks out after so many without files, or so many that failed", async (t) => {
  const { app } = await started(t);
  for (const [id, connection, threshold] of [
    ["idle", "files", "backoffIdleThreshold=1"],
    ["failing", "nowhere", "backoffErrorThreshold=1"],
  ]) {
    const uri = `sftp?connection=${connection}&initialDelay=0&delay=1000&backoffMultiplier=600&${threshold}`;
    assert.equal(await deploy(app, id as string, uri, "{ log: x }"), "");
    const pause = await pauseOf(app, id as string);
    assert.ok(pause > 500_000, `${id}: ${pause} ms`);
  }
});

test("jailStartingDirectory refuses names that lead out of the directory; with false they stay below the login's", async (t) => {
  const { app, server } = await started(t);
  for (const [id, name, jail, status] of [
    ["inside", "a.txt", true, 200],
    ["refused", "../b.txt", true, 500],
    ["beside", "../c.txt", false, 200],
    ["outside", "../../d.txt", false, 500],
  ] as const) {
    const to = `sftp?connection=files&directoryName=out&fileName=${name}&jailStartingDirectory=${jail}`;
    assert.equal(await deploy(app, id, "webhook", `{ to: "${to}" }`), "");
    assert.equal((await app.post(`/api/${id}`, "x")).status, status, id);
  }
  assert.deepEqual([...server.files.keys()].sort(), ["c.txt", "out/a.txt"]);
});

test("names are UTF-8 with / between directories: separator and filenameEncoding take nothing else", async (t) => {
  const { app, server } = await started(t);
  const to = "sftp?connection=files&directoryName=out&fileName=";
  const options = "separator=UNIX&filenameEncoding=UTF-8";
  assert.equal(await deploy(app, "named", "webhook", `{ to: '${to}ä\\b.txt&${options}' }`), "");
  assert.equal((await app.post("/api/named", "x")).status, 200);
  assert.deepEqual([...server.files.keys()], ["out/ä/b.txt"]);
  assert.match(await deploy(app, "windows", "webhook", `{ to: "${to}a&separator=Windows" }`), /UNIX, Auto/);
  assert.match(await deploy(app, "latin", "webhook", `{ to: "${to}a&filenameEncoding=ISO-8859-1" }`), /UTF-8/);
});
