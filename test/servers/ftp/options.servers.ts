/** The options of ftp and ftps endpoints against vsftpd. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cert } from "../../support/localhost-cert.ts";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { tryCases } from "../remote-cases.ts";
import { putConnection } from "../sql/connection-document.ts";
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
    await tryCases(t, { app, scheme, files, makeDirectory });
    if (tls === undefined) return;
    await putConnection(app, "files", connectionTo(server, { default: true, ...encrypted, tls: {} }));
    assert.match(String((await tried())["error"]), /self-signed certificate/);
  });
