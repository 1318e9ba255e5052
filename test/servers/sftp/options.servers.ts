/** The options of sftp endpoints against OpenSSH. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { blockOf, documentOf } from "../page-block.ts";
import { tryCases } from "../remote-cases.ts";
import { putConnection } from "../sql/connection-document.ts";
import { lastFailure } from "../sql/sql-flow.ts";
import { startFreezingProxy } from "./freezing-proxy.ts";
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
    connect: (name) => putConnection(app, name, connectionTo(server)),
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

test("how an endpoint of its own server connects is what the server agrees to", { skip }, async (t) => {
  const server = await startSftpServer();
  t.after(() => server.close());
  const { host, port, username, privateKey, knownHosts, files } = server;
  const app = await startTestApp(t, {
    egressAllow: `${host}:${port}`,
    secrets: {
      ...{ "_shared/KEY": privateKey, "_shared/HOSTS": knownHosts },
      ...{ "_shared/ENCRYPTED": server.encryptedKey, "_shared/PHRASE": server.passphrase },
    },
  });
  const usual = "privateKey: '{{secret:KEY}}'";
  const encrypted = "privateKey: '{{secret:ENCRYPTED}}'";
  for (const [at, [more, failure]] of (
    [
      [`${usual}, ciphers: "aes256-ctr,aes128-ctr"`, undefined],
      [`${usual}, ciphers: aes128-cbc`, /no matching .*cipher/],
      [`${usual}, keyExchangeProtocols: curve25519-sha256`, undefined],
      [`${usual}, keyExchangeProtocols: diffie-hellman-group1-sha1`, /no matching key exchange/],
      [`${usual}, serverHostKeys: ssh-ed25519`, undefined],
      [`${usual}, serverHostKeys: ecdsa-sha2-nistp256`, /no matching host key/],
      [`${usual}, preferredAuthentications: "password,publickey", password: no`, undefined],
      [`${usual}, preferredAuthentications: password, password: no`, /authentication methods failed/],
      [`${encrypted}, privateKeyPassphrase: '{{secret:PHRASE}}'`, undefined],
      [encrypted, /passphrase/i],
      [`${encrypted}, privateKeyPassphrase: wrong`, /passphrase|decrypt|integrity/i],
    ] as const
  ).entries()) {
    const own = `host: "${username}@${host}:${port}/out", knownHosts: "{{secret:HOSTS}}", fileName: ${at}.txt, ${more}`;
    const to = `{ to: { uri: sftp, parameters: { ${own} } } }`;
    const put = await app.put("own", `- route: { id: own, from: { uri: webhook, steps: [${to}] } }`);
    assert.ok(put.ok, await put.text());
    const { status } = await app.post("/api/own", "x");
    if (failure !== undefined) assert.match(await lastFailure(app, "own"), failure, more);
    else
      assert.ok(
        status === 200 && existsSync(join(files, `out/${at}.txt`)),
        `${more}: ${await lastFailure(app, "own")}`,
      );
  }
});

test("a server that falls silent is asked serverAliveCountMax times, and left then", { skip }, async (t) => {
  const server = await startSftpServer();
  t.after(() => server.close());
  const { host, port, username, privateKey, knownHosts } = server;
  const asked: number[] = [];
  for (const count of [1, 6]) {
    const proxy = await startFreezingProxy(t, { host, port });
    const app = await startTestApp(t, {
      egressAllow: `${host}:${proxy.port}`,
      secrets: { "_shared/KEY": privateKey, "_shared/HOSTS": knownHosts.replaceAll(`:${port}`, `:${proxy.port}`) },
    });
    const own = `host: "${username}@${host}:${proxy.port}/out", privateKey: "{{secret:KEY}}", knownHosts: "{{secret:HOSTS}}", fileName: a.txt`;
    const alive = `serverAliveInterval: 200, serverAliveCountMax: ${count}`;
    const to = `{ to: { uri: sftp, parameters: { ${own}, ${alive} } } }`;
    const put = await app.put("alive", `- route: { id: alive, from: { uri: webhook, steps: [${to}] } }`);
    assert.ok(put.ok, await put.text());
    assert.equal((await app.post("/api/alive", "x")).status, 200, await lastFailure(app, "alive"));
    asked.push(await proxy.freeze());
  }
  const [once = 0, often = 0] = asked;
  assert.ok(often > once, `${once} bytes, and ${often}`);
});

test("the example of the page takes orders, puts them away, and confirms each", { skip }, async (t) => {
  const server = await startSftpServer();
  t.after(() => server.close());
  const { files, host, port, username, knownHosts, privateKey } = server;
  const app = await startTestApp(t, { secrets: { "_connections/SHOP_KEY": privateKey } });
  const document = documentOf("sftp", { servers: [`${host}:${port}`], username, options: { knownHosts } });
  await putConnection(app, "files", document);
  await mkdir(join(files, "in"));
  for (const name of ["a.csv", "b.csv", "c.txt"]) await writeFile(join(files, "in", name), `of ${name}`);
  // A directory in its place: the confirmation fails.
  await mkdir(join(files, "out/b.txt"), { recursive: true });
  const put = await app.put("take-orders", blockOf("sftp", "yaml"));
  assert.ok(put.ok, await put.text());
  const there = (path: string): boolean => existsSync(join(files, path));
  await eventually(() => there("done/a.csv") && there("failed/b.csv"), "both are put away", 60_000);
  assert.equal(await readFile(join(files, "out/a.txt"), "utf8"), "took 8 bytes");
  assert.deepEqual(await readdir(join(files, "in")), ["c.txt"]);
});
