/** The example of docs/connectors/smtp.md as it stands there, and the options of mails that no other test sets. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { blockOf, documentOf } from "../../servers/page-block.ts";
import { cert } from "../../support/localhost-cert.ts";
import { fieldOf, startMailServer } from "../../support/mail-server.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

async function deploy(app: TestApp, id: string, yaml: string): Promise<void> {
  const put = await app.put(id, yaml);
  assert.ok(put.ok, await put.text());
}

test("the example of the page confirms an order as HTML, with the same text beside it", async (t) => {
  const password = "a-password-for-tests";
  const server = await startMailServer(t, { password });
  const app = await startTestApp(t, { secrets: { "_connections/SHOP_MAIL": password } });
  const tls = { ca: cert, serverName: "localhost" };
  const put = await app.api("/connections/mail", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(documentOf("smtp", { servers: [`127.0.0.1:${server.port}`], tls })),
  });
  assert.ok(put.ok, await put.text());
  await deploy(app, "confirm", blockOf("smtp", "yaml"));
  const order = JSON.stringify({ id: 7, customer: "Ada", mail: "ada@example.org" });
  const id = await (await app.post("/api/confirm", order, { "Content-Type": "application/json" })).text();
  const [mail] = server.mails;
  assert.ok(mail, id);
  assert.deepEqual([mail.to, mail.user, mail.isEncrypted], [["ada@example.org"], "shop", true]);
  const fields = ["To", "From", "Subject", "Message-ID"].map((name) => fieldOf(mail.text, name));
  assert.deepEqual(fields, ["Ada <ada@example.org>", "Shop <shop@example.org>", "Your order 7", id]);
  assert.match(mail.text, /text\/plain[\s\S]*Thank you, Ada\.[\s\S]*text\/html[\s\S]*Thank you, <b>Ada<\/b>\./);
});

test("alternativeBodyHeader names the header with the plain text, which is no header of the mail", async (t) => {
  const server = await startMailServer(t, { disabledCommands: ["STARTTLS"] });
  const host = `127.0.0.1:${server.port}`;
  const app = await startTestApp(t, { egressAllow: host });
  const steps = `{ setHeader: { name: plain, constant: "as text" } }, { setBody: { constant: "<b>as HTML</b>" } },
    { to: { uri: smtp, parameters: { host: "${host}", to: a@example.org, contentType: text/html, alternativeBodyHeader: plain } } }`;
  await deploy(
    app,
    "other",
    `- route: { id: other, from: { uri: webhook, steps: [${steps.replaceAll(/\n\s+/g, " ")}] } }`,
  );
  assert.equal((await app.post("/api/other", "x")).status, 200);
  const { text } = server.mails[0] ?? { text: "" };
  assert.match(text, /text\/plain[\s\S]*as text[\s\S]*text\/html[\s\S]*as HTML/);
  assert.equal(fieldOf(text, "plain"), undefined);
});

test("connectionTimeout ends the wait for a server that does not greet", async (t) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => {}))).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await startTestApp(t, { egressAllow: host });
  const to = `{ to: { uri: smtp, parameters: { host: "${host}", to: a@example.org, connectionTimeout: 300 } } }`;
  await deploy(app, "silent", `- route: { id: silent, from: { uri: webhook, steps: [${to}] } }`);
  assert.equal((await app.post("/api/silent", "x")).status, 500);
  const [run] = (await (await app.api("/runs?routeId=silent")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /no connection to the mail server within 300 ms \(connectionTimeout\)/);
});
