/** A server of files that cannot be reached, or is none, is named to whoever needs it; and what cannot be had is refused. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

async function listen(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).resume());
    serve(socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function tried(app: TestApp, kind: string, port: number): Promise<string> {
  const body = JSON.stringify({ kind, servers: [`127.0.0.1:${port}`], username: "shop", flows: ["*"], default: true });
  const put = await app.api("/connections/files", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body,
  });
  assert.ok(put.ok, await put.text());
  return ((await (await app.api("/connections/files/test", { method: "POST" })).json()) as { error: string }).error;
}

for (const kind of ["sftp", "ftp"]) {
  test(`${kind}: a server that is not there is the cause of trials, failed runs and looks`, async (t) => {
    const app = await startTestApp(t);
    assert.match(await tried(app, kind, closedPort), /ECONNREFUSED/);
    const write = await app.put(
      "write",
      `- route: { id: write, from: { uri: webhook, steps: [{ to: "${kind}?fileName=a.txt" }] } }`,
    );
    assert.ok(write.ok, await write.text());
    assert.equal((await app.post("/api/write", "x")).status, 500);
    const [run] = (await (await app.api("/runs?routeId=write")).json()) as { error?: { message: string } }[];
    assert.match(run?.error?.message ?? "", /ECONNREFUSED|is not tried again before/);
    const poll = `- route: { id: poll, from: { uri: "${kind}?delay=10&initialDelay=0&delete=true", steps: [{ log: x }] } }`;
    const deployed = await app.put("poll", poll);
    assert.ok(deployed.ok, await deployed.text());
    const isNamed = (): boolean =>
      app.logs.some(
        ({ message, flowId }) => flowId === "poll" && /files cannot be looked for.*127\.0\.0\.1/.test(message),
      );
    await eventually(isNamed, "the log names the server");
  });

  test(`${kind}: a server that sends without an end, says nothing or hangs up ends the attempt`, async (t) => {
    const app = await startTestApp(t, { limits: { outboundConnectMs: 500 } });
    const flood = (socket: Socket): void => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, 0x41)));
      };
      socket.on("drain", more);
      more();
    };
    for (const serve of [flood, () => {}, (socket: Socket) => void socket.end()])
      assert.notEqual(await tried(app, kind, await listen(t, serve)), undefined);
  });
}

test("ftp: a look whose login is refused logs in once", async (t) => {
  let logins = 0;
  const port = await listen(t, (socket) => {
    socket.write("220 Here\r\n");
    socket.on("data", (command) => {
      const isPassword = command.toString().startsWith("PASS");
      if (isPassword) logins += 1;
      socket.write(isPassword ? "530 Login incorrect\r\n" : "331 Password\r\n");
    });
  });
  const app = await startTestApp(t);
  assert.match(await tried(app, "ftp", port), /530/);
  logins = 0;
  const handler = `- onException: { exception: [java.lang.Exception], handled: { constant: "true" }, steps: [{ log: failed look }] }`;
  const from = `{ uri: "ftp?delay=10&initialDelay=0&delete=true&bridgeErrorHandler=true", steps: [{ log: x }] }`;
  const deployed = await app.put("poll", `${handler}\n- route: { id: poll, from: ${from} }`);
  assert.ok(deployed.ok, await deployed.text());
  const looks = (): number => app.logs.filter(({ message }) => message === "failed look").length;
  await eventually(() => looks() >= 3, "three looks have failed");
  await app.api("/flows/poll", { method: "DELETE" });
  // The last look may have been cut off.
  assert.ok(logins <= looks() + 1, `${logins} logins for ${looks()} looks`);
});

const refused: readonly (readonly [endpoint: string, expected: RegExp])[] = [
  ["ftp:files.example.org?passiveMode=false", /active mode/],
  ["ftp:files.example.org?binary=false", /as they are/],
  ["ftp:shop:pw@files.example.org/in", /password in the address/],
  ["ftp?username=shop", /write host, too/],
  ["ftp:files.example.org?connection=#files", /leave one of them out/],
  ["ftp:files.example.org?localWorkDirectory=/tmp", /read whole/],
  ["ftps:files.example.org?execProt=C", /execProt/],
  ["sftp:files.example.org?strictHostKeyChecking=no", /host keys are always checked/],
  ["sftp:files.example.org?privateKeyFile=/root/.ssh/id", /write privateKey/],
  ["sftp:files.example.org/in?directoryName=in", /directory is in host already/],
  ["sftp?knownHosts=a", /describes a server of the endpoint's own/],
  ["sftp:files.example.org/../up", /leads out of/],
  ["sftp:files.example.org?readLock=fileLock", /readLock/],
];

test("what a server of files cannot be asked for is refused with what to write", async (t) => {
  const app = await startTestApp(t);
  for (const [endpoint, expected] of refused) {
    const put = await app.put(
      "refused",
      `- route: { id: refused, from: { uri: "${endpoint}", steps: [{ log: x }] } }\n`,
    );
    assert.equal(put.status, 422, endpoint);
    assert.match(await put.text(), expected);
  }
});

/** Answers what a session that writes a file asks, and announces this port for its content. */
function announce(socket: Socket, dataPort: number, commands: string[]): void {
  const answers: Readonly<Record<string, string>> = {
    USER: "331 password",
    PASS: "230 in",
    PWD: '257 "/"',
    FEAT: "211 none",
    EPSV: `229 entering (|||${dataPort}|)`,
    PASV: `227 entering (127,0,0,1,${dataPort >> 8},${dataPort & 0xff})`,
    SIZE: "550 none",
    CWD: "250 there",
  };
  socket.write("220 ready\r\n");
  socket.on("data", (data) => {
    for (const line of data.toString().split("\r\n").filter(Boolean)) {
      const [command = ""] = line.split(" ");
      commands.push(command);
      socket.write(`${answers[command] ?? "200 fine"}\r\n`);
    }
  });
}

test("ftp: a server cannot make a call of the runtime's own webhooks out of the file that a flow writes", async (t) => {
  const app = await startTestApp(t);
  const commands: string[] = [];
  const port = await listen(t, (socket) => announce(socket, Number(new URL(app.url).port), commands));
  await tried(app, "ftp", port);
  await app.put("victim", "- route: { id: victim, from: { uri: webhook, steps: [{ log: called }] } }\n");
  await app.put("write", '- route: { id: write, from: { uri: webhook, steps: [{ to: "ftp?fileName=a.txt" }] } }\n');
  assert.equal(
    (await app.post("/api/write", "POST /api/victim HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")).status,
    500,
  );
  const [run] = (await (await app.api("/runs?routeId=write")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /announces belongs to the runtime itself/);
  assert.ok(commands.includes("EPSV"));
  assert.deepEqual(await (await app.api("/runs?routeId=victim")).json(), []);
});
