/** What becomes of a file whose connection is lost, on vsftpd behind a door that cuts connections. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startTestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { putConnection } from "../sql/connection-document.ts";
import { connectionTo } from "./ftp-connector.ts";
import { startFtpServer } from "./ftp-server.ts";

/** Passes control connections on to a port, and cuts the first `times` that send `command`. */
async function cut(t: TestContext, to: number, command: RegExp, times: number) {
  const door = { port: 0, cuts: 0 };
  const server = createServer((client) => {
    const behind = connect(to, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      behind.destroy();
    };
    for (const socket of [client, behind]) socket.on("error", end).on("close", end);
    behind.on("data", (bytes) => client.write(bytes));
    client.on("data", (bytes) => {
      if (door.cuts >= times || !command.test(bytes.toString())) return behind.write(bytes);
      door.cuts += 1;
      end();
    });
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  door.port = (server.address() as AddressInfo).port;
  return door;
}

test("a file whose connection is lost each time that it is read comes again, and is no file that cannot be read", {
  skip: missing("vsftpd"),
}, async (t) => {
  const server = await startFtpServer();
  t.after(() => server.close());
  const door = await cut(t, server.port, /^RETR/m, 5);
  const app = await startTestApp(t, { secrets: { "_connections/FTP": server.password } });
  await putConnection(app, "files", connectionTo({ ...server, port: door.port }));
  await server.makeDirectory("in");
  await writeFile(join(server.files, "in", "one.txt"), "content", { mode: 0o666 });
  const from = `{ uri: ftp, parameters: { connection: "#files", directoryName: in, delete: true, delay: 20, initialDelay: 0 }`;
  const put = await app.put(
    "lost",
    `- route: { id: lost, from: ${from}, steps: [{ log: "took \${file:name} \${body}" }] } }`,
  );
  assert.ok(put.ok, await put.text());
  const took = (): readonly string[] => app.logs.map(({ message }) => message).filter((text) => /^took /.test(text));
  await eventually(() => took().length > 0, "it is taken");
  assert.deepEqual(took(), ["took one.txt content"]);
  assert.equal(door.cuts, 5);
  const runs = (await (await app.api("/runs?flowId=lost")).json()) as readonly { readonly status: string }[];
  assert.deepEqual(new Set(runs.map(({ status }) => status)), new Set(["completed"]));
});
