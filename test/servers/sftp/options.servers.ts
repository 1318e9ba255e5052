/** The options of sftp endpoints against OpenSSH. */

import assert from "node:assert/strict";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { tryCases } from "../remote-cases.ts";
import { putConnection } from "../sql/connection-document.ts";
import { connectionTo } from "./sftp-connector.ts";
import { startSftpServer } from "./sftp-server.ts";

const skip = missing("OpenSSH");

test("sftp", { skip }, async (t) => {
  const server = await startSftpServer();
  t.after(() => server.close());
  const app = await startTestApp(t, { secrets: { "_connections/SFTP": server.privateKey } });
  await putConnection(app, "files", connectionTo(server, { default: true }));
  const { files } = server;
  await tryCases(t, {
    app,
    scheme: "sftp",
    files,
    makeDirectory: async (path) => {
      await mkdir(join(files, path), { recursive: true });
    },
  });
});

test("an endpoint names its own server, key and known hosts, and chmod sets rights", { skip }, async (t) => {
  const server = await startSftpServer();
  t.after(() => server.close());
  const { host, port, username, privateKey, knownHosts, files } = server;
  const app = await startTestApp(t, {
    egressAllow: `${host}:${port}`,
    secrets: { "own/KEY": privateKey, "own/HOSTS": knownHosts, "other/KEY": privateKey },
  });
  const uri = (more: string): string =>
    `sftp:${username}@${host}:${port}/made?privateKey={{secret:KEY}}&fileName=a.txt&chmod=640&chmodDirectory=750${more}`;
  const route = (id: string, more: string): string =>
    `- route: { id: ${id}, from: { uri: webhook, steps: [{ to: "${uri(more)}" }] } }`;
  const put = await app.put("own", route("own", "&knownHosts={{secret:HOSTS}}&compression=1&serverAliveInterval=10s"));
  assert.ok(put.ok, await put.text());
  assert.equal((await app.post("/api/own", "x")).status, 200);
  assert.equal((await stat(join(files, "made/a.txt"))).mode & 0o777, 0o640);
  assert.equal((await stat(join(files, "made"))).mode & 0o777, 0o750);
  await app.put("other", route("other", ""));
  assert.equal((await app.post("/api/other", "x")).status, 500);
  const [run] = (await (await app.api("/runs?routeId=other")).json()) as { error?: { message: string } }[];
  assert.match(
    run?.error?.message ?? "",
    /the host key SHA256:.* is not known.*write into knownHosts: \[127\.0\.0\.1\]:\d+ ssh-ed25519 AAAA/,
  );
});
