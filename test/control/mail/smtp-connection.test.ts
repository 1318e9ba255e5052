/** Connections to mail servers: encryption, logins, failures, and endpoints that name their server. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { cert } from "../../support/localhost-cert.ts";
import { type MailServerOptions, startMailServer } from "../../support/mail-server.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

const headers = { "Content-Type": "application/json" };

async function tried(app: TestApp, document: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ kind: "smtp", flows: ["*"], default: true, ...document });
  const put = await app.api("/connections/mail", { method: "PUT", headers, body });
  assert.ok(put.ok, await put.text());
  return (await (await app.api("/connections/mail/test", { method: "POST" })).json()) as Record<string, unknown>;
}

async function send(app: TestApp, id: string, to: string): Promise<string> {
  const put = await app.put(
    id,
    `- route: { id: ${id}, from: { uri: webhook, steps: [{ to: ${JSON.stringify(to)} }] } }\n`,
  );
  assert.ok(put.ok, await put.text());
  if ((await app.post(`/api/${id}`, "x")).ok) return "sent";
  const [run] = (await (await app.api(`/runs?routeId=${id}`)).json()) as {
    error?: { type: string; message: string };
  }[];
  return `${run?.error?.type}: ${run?.error?.message}`;
}

const ways: readonly (readonly [string, MailServerOptions, Readonly<Record<string, unknown>>])[] = [
  ["STARTTLS", {}, {}],
  ["TLS from the first byte", { secure: true }, { options: { encryption: "implicit" } }],
];

for (const [name, server, document] of ways)
  test(`${name}: the login is encrypted, and the server's certificate is checked`, async (t) => {
    const { port, mails } = await startMailServer(t, { password: "pw", ...server });
    const app = await startTestApp(t, { secrets: { "_connections/MAIL": "pw", "_connections/BAD": "wrong" } });
    const known = {
      servers: [`127.0.0.1:${port}`],
      username: "shop",
      passwordRef: "MAIL",
      tls: { ca: cert },
      ...document,
    };
    const { ok, tls, serverVersion } = await tried(app, known);
    assert.equal(ok, true);
    assert.match(String(tls), /^TLSv1\.[23]$/);
    assert.match(String(serverVersion), /ESMTP/);
    assert.equal(await send(app, "well", "smtp?to=ada@example.org"), "sent");
    assert.deepEqual([mails[0]?.user, mails[0]?.isEncrypted], ["shop", true]);
    const wrong: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
      [{ passwordRef: "BAD" }, /Wrong name or password|535/],
      [{ tls: {} }, /self-signed certificate: write the certificate of the authority .* into tls\.ca/],
      [{ tls: { ca: cert, serverName: "mail.example.org" } }, /does not match certificate's altnames/],
    ];
    for (const [change, expected] of wrong)
      assert.match(String((await tried(app, { ...known, ...change }))["error"]), expected);
    assert.match(
      await send(app, "ill", "smtp?to=ada@example.org"),
      /^org\.eclipse\.angus.*altnames|is not tried again/,
    );
  });

test("a server that does not encrypt gets no password, where the connection has tls", async (t) => {
  const { port } = await startMailServer(t, {
    password: "pw",
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
  });
  const app = await startTestApp(t, { secrets: { "_connections/MAIL": "pw" } });
  const known = { servers: [`127.0.0.1:${port}`], username: "shop", passwordRef: "MAIL" };
  assert.match(String((await tried(app, { ...known, tls: {} }))["error"]), /STARTTLS/i);
  const { ok, tls } = await tried(app, known);
  assert.deepEqual([ok, tls], [true, null]);
});

test("an endpoint names its own server, user and password, where the operator allows it", async (t) => {
  const plain = await startMailServer(t, { password: "pw", disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const app = await startTestApp(t, {
    egressAllow: `127.0.0.1:${plain.port}`,
    secrets: { "own/PW": "pw" },
  });
  const sent = await send(app, "own", `smtp:shop@127.0.0.1:${plain.port}?password={{secret:PW}}&to=ada@example.org`);
  assert.equal(sent, "sent");
  assert.equal(plain.mails[0]?.user, "shop");
  for (const asked of ["mail.smtp.starttls.enable", "mail.smtp.starttls.required", "tls"])
    assert.match(await send(app, asked, `smtp:127.0.0.1:${plain.port}?${asked}=true&to=ada@example.org`), /STARTTLS/i);
  assert.match(await send(app, "elsewhere", "smtps:mail.invalid?to=ada@example.org"), /mail\.invalid/);
});

test("what an smtp endpoint cannot do is refused with what to write", async (t) => {
  const app = await startTestApp(t);
  const refused: readonly (readonly [string, RegExp])[] = [
    [`from: { uri: "smtp:mail.example.org", steps: [{ log: x }] }`, /mailboxes are read over IMAP/],
    [`from: { uri: webhook, steps: [{ to: "smtp:shop:pw@mail.example.org?to=a@b.c" }] }`, /password in the address/],
    [
      `from: { uri: webhook, steps: [{ to: "smtp:mail.example.org?connection=#mail&to=a@b.c" }] }`,
      /leave one of them out/,
    ],
    [`from: { uri: webhook, steps: [{ to: "smtp?username=a&to=a@b.c" }] }`, /write host, too/],
    [`from: { uri: webhook, steps: [{ to: "smtp?to=nobody" }] }`, /to has no address/],
    [`from: { uri: webhook, steps: [{ to: "smtp?to=a@b.c&folderName=Sent" }] }`, /mailboxes are not read here/],
    [`from: { uri: webhook, steps: [{ to: "smtp:a.b:25?port=26&to=a@b.c" }] }`, /port is in host already/],
  ];
  for (const [route, expected] of refused) {
    const put = await app.put("refused", `- route: { id: refused, ${route} }\n`);
    assert.equal(put.status, 422, route);
    assert.match(await put.text(), expected);
  }
});

const hostile: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
  ["sends without an end", (socket) => flood(socket), /exceeds maximum allowed size/],
  [
    "never answers",
    () => {},
    /not open after 500 ms: 127\.0\.0\.1:\d+ did not answer as a server of the kind smtp\. Check the address/,
  ],
  ["speaks another protocol", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), /Invalid greeting|HTTP/],
];

function flood(socket: Socket): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, 0x41)));
  };
  socket.on("drain", more);
  more();
}

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

for (const [name, serve, expected] of hostile)
  test(`a server that ${name} fails the attempt, and not the thread`, async (t) => {
    const app = await startTestApp(t, { limits: { outboundConnectMs: 500 } });
    const port = await listen(t, serve);
    assert.match(String((await tried(app, { servers: [`127.0.0.1:${port}`] }))["error"]), expected);
  });

test("a server that falls silent in the middle of a mail ends it with its time, and the next mail has another connection", async (t) => {
  let answers = true;
  const { port, mails } = await startMailServer(t, {
    disabledCommands: ["STARTTLS"],
    onMailFrom: (_address, _session, done) => {
      if (answers) done();
    },
  });
  const app = await startTestApp(t, { limits: { outboundTotalMs: 500 } });
  assert.equal((await tried(app, { servers: [`127.0.0.1:${port}`] }))["ok"], true);
  assert.equal(await send(app, "slow", "smtp?to=ada@example.org"), "sent");
  answers = false;
  assert.match(await send(app, "slow", "smtp?to=ada@example.org"), /a mail is sent within 500 ms/);
  answers = true;
  assert.equal(await send(app, "slow", "smtp?to=ada@example.org"), "sent");
  assert.equal(mails.length, 2);
});
