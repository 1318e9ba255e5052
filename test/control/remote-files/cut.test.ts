/** A connection to an SFTP server that ends in the middle of a transfer: what waits on it fails at once, and goes on with another one. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { type SftpStandIn, startSftpStandIn } from "../../support/sftp-stand-in.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

async function started(t: TestContext): Promise<{ readonly app: TestApp; readonly server: SftpStandIn }> {
  const server = await startSftpStandIn(t);
  const app = await startTestApp(t);
  const servers = [`127.0.0.1:${server.port}`];
  const options = { knownHosts: server.knownHosts };
  const document = { kind: "sftp", servers, username: "shop", flows: ["*"], default: true, options };
  const headers = { "Content-Type": "application/json" };
  const put = await app.api("/connections/files", { method: "PUT", headers, body: JSON.stringify(document) });
  assert.equal(put.status, 201, await put.text());
  return { app, server };
}

test("a file that is cut off while it is read is taken once, by a later poll", async (t) => {
  const { app, server } = await started(t);
  server.files.set("a.txt", Buffer.alloc(300_000, "a"));
  server.cutAt("READ");
  const flow =
    '- route: { id: in, from: { uri: "sftp?delay=20&initialDelay=0&delete=true", steps: [{ log: "${body.length}" }] } }';
  const put = await app.put("f", flow);
  assert.equal(put.status, 201, await put.text());
  const taken = (): number => app.logs.filter(({ message }) => message === "300000").length;
  await eventually(() => taken() > 0, "the file");
  await eventually(() => server.files.size === 0, "its removal");
  assert.equal(taken(), 1);
});

test("a file that is cut off while it is written fails its run at once, with the cause, and the next one is written", async (t) => {
  const { app, server } = await started(t);
  await app.put(
    "f",
    '- route: { id: out, from: { uri: webhook, steps: [{ to: "sftp?fileName=b.txt" }, { setBody: { constant: done } }] } }',
  );
  server.cutAt("WRITE");
  assert.equal((await app.post("/api/out", "b".repeat(300_000))).status, 500);
  const [run] = (await (await app.api("/runs?routeId=out")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /b\.txt.*(?:closed|end|lost|No response)/i);
  assert.equal((await app.post("/api/out", "c".repeat(300_000))).status, 200);
  assert.equal(server.files.get("b.txt")?.toString(), "c".repeat(300_000));
});
