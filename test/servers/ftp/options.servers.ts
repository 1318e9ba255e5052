/** The options of ftp and ftps endpoints against vsftpd. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { cert } from "../../support/localhost-cert.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { blockOf, documentOf } from "../page-block.ts";
import { tryCases } from "../remote-cases.ts";
import { putConnection } from "../sql/connection-document.ts";
import { lastFailure } from "../sql/sql-flow.ts";
import { connectionTo } from "./ftp-connector.ts";
import { startFtpServer } from "./ftp-server.ts";

const skip = missing("vsftpd");

for (const [scheme, tls] of [
  ["ftp", undefined],
  ["ftps", "explicit"],
  ["ftps", "implicit"],
] as const)
  test(`${scheme}, ${tls ?? "not encrypted"}`, { skip }, async (t) => {
    const server = await startFtpServer(tls === undefined ? {} : { tls });
    t.after(() => server.close());
    const app = await startTestApp(t, { secrets: { "_connections/FTP": server.password } });
    const encrypted = tls === undefined ? {} : { tls: { ca: cert }, options: { encryption: tls } };
    await putConnection(app, "files", connectionTo(server, { default: true, ...encrypted }));
    const tried = async (): Promise<Record<string, unknown>> =>
      (await (await app.api("/connections/files/test", { method: "POST" })).json()) as Record<string, unknown>;
    const trial = await tried();
    assert.equal(trial["ok"], true, String(trial["error"]));
    assert.match(String(trial["serverVersion"]), /vsFTPd/);
    assert.match(String(trial["tls"]), tls === undefined ? /^null$/ : /^TLSv1\.[23]$/);
    const { files, makeDirectory } = server;
    const connect = (name: string): Promise<void> => putConnection(app, name, connectionTo(server, encrypted));
    await tryCases(t, { app, scheme, files, makeDirectory, connect });
    await trySiteCommand(app, scheme);
    if (tls === undefined) return;
    await putConnection(app, "files", connectionTo(server, { default: true, ...encrypted, tls: {} }));
    assert.match(String((await tried())["error"]), /self-signed certificate/);
  });

/** The server refuses the command to users such as the tests', and its answer shows that it got it. */
async function trySiteCommand(app: TestApp, scheme: string): Promise<void> {
  const to = `{ to: { uri: ${scheme}, parameters: { directoryName: out, fileName: site.txt, siteCommand: UMASK 022 } } }`;
  const put = await app.put("site", `- route: { id: site, from: { uri: webhook, steps: [${to}] } }`);
  assert.ok(put.ok, await put.text());
  assert.equal((await app.post("/api/site", "x")).status, 500);
  assert.match(await lastFailure(app, "site"), /Cannot connect to ftp:.* 550 Permission denied/);
  await app.api("/flows/site", { method: "DELETE" });
}

test("implicit begins with TLS at the server that the endpoint names, and else asks for it first", {
  skip,
}, async (t) => {
  const server = await startFtpServer({ tls: "explicit" });
  t.after(() => server.close());
  const { host, port, username, password } = server;
  const app = await startTestApp(t, { egressAllow: `${host}:${port}` });
  for (const [implicit, failure] of [
    [false, /self-signed certificate/],
    [true, /wrong version number|packet length/],
  ] as const) {
    const own = `host: "${username}@${host}:${port}", password: ${password}, fileName: a.txt, implicit: ${implicit}`;
    const to = `{ to: { uri: ftps, parameters: { ${own} } } }`;
    const put = await app.put("own", `- route: { id: own, from: { uri: webhook, steps: [${to}] } }`);
    assert.ok(put.ok, await put.text());
    await app.post("/api/own", "x");
    assert.match(await lastFailure(app, "own"), failure);
  }
});

test("the example of the page writes a file, and a second one that says that it is complete", { skip }, async (t) => {
  const server = await startFtpServer({ tls: "explicit" });
  t.after(() => server.close());
  const { host, port, username, password, files } = server;
  const app = await startTestApp(t, { secrets: { "_connections/SHOP_FTP": password } });
  await putConnection(app, "files", documentOf("ftp", { servers: [`${host}:${port}`], username, tls: { ca: cert } }));
  await server.makeDirectory("out");
  const put = await app.put("export", blockOf("ftp", "yaml"));
  assert.ok(put.ok, await put.text());
  const answer = await app.post("/api/export", "content", { name: "order-7" });
  assert.match(await answer.text(), /^2\d\d$/, await lastFailure(app, "export"));
  assert.deepEqual((await readdir(join(files, "out"))).sort(), ["order-7.json", "order-7.json.done"]);
  assert.equal(await readFile(join(files, "out/order-7.json"), "utf8"), "content");
});
