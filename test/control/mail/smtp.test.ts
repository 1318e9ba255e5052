/** Mails that flows send: recipients, texts, attachments, and what a caller must not be able to do. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { fieldOf, type MailServer, type MailServerOptions, startMailServer } from "../../support/mail-server.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

interface Started {
  readonly app: TestApp;
  readonly server: MailServer;
}

/** A runtime with the connection `mail` to a mail server, which is not encrypted. */
async function started(t: TestContext, options: MailServerOptions = {}): Promise<Started> {
  const server = await startMailServer(t, { disabledCommands: ["STARTTLS"], ...options });
  const app = await startTestApp(t);
  await connect(app, { servers: [`127.0.0.1:${server.port}`] });
  return { app, server };
}

async function connect(app: TestApp, more: Readonly<Record<string, unknown>>): Promise<void> {
  const body = JSON.stringify({ kind: "smtp", default: true, flows: ["*"], ...more });
  const put = await app.api("/connections/mail", {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body,
  });
  assert.ok(put.ok, await put.text());
}

let last = 0;

/** Deploys a webhook with these steps, and returns its path. */
async function webhook(app: TestApp, steps: string, from = "webhook"): Promise<string> {
  const id = `mail-${++last}`;
  const put = await app.put(
    id,
    `- route:\n    id: ${id}\n    from: { uri: ${from} }\n    steps:\n${steps}\n`.replace(
      "    from: { uri: webhook }\n    steps:",
      `    from:\n      uri: ${from}\n      steps:`,
    ),
  );
  assert.ok(put.ok, await put.text());
  return `/api/${id}`;
}

/** Asserts that the run has completed. */
async function sent(app: TestApp, path: string): Promise<void> {
  const answer = await app.post(path, "x");
  assert.ok(answer.ok, await answer.text());
}

async function failureOf(app: TestApp, path: string): Promise<{ type: string; message: string }> {
  const runs = (await (await app.api(`/runs?routeId=${path.slice(5)}`)).json()) as {
    error?: { type: string; message: string };
  }[];
  assert.ok(runs[0]?.error);
  return runs[0].error;
}

test("a message becomes a mail with the endpoint's recipients, and the header CamelMailMessageId names it", async (t) => {
  const { app, server } = await started(t);
  const path = await webhook(
    app,
    `        - setBody: { constant: "Grüße aus Zürich" }
        - to:
            uri: smtp
            parameters: { from: "Shop <shop@example.org>", to: "ada@example.org; Bob <bob@example.org>", cc: c@example.org, bcc: hidden@example.org, replyTo: answers@example.org, subject: "Größe" }
        - setBody: { simple: "\${header.CamelMailMessageId}" }`,
  );
  const id = await (await app.post(path, "x")).text();
  assert.match(id, /^<[0-9a-f]+@example\.org>$/);
  const [mail] = server.mails;
  assert.ok(mail);
  assert.deepEqual(
    [mail.from, mail.to],
    ["shop@example.org", ["ada@example.org", "bob@example.org", "c@example.org", "hidden@example.org"]],
  );
  assert.equal(fieldOf(mail.text, "From"), "Shop <shop@example.org>");
  assert.equal(fieldOf(mail.text, "To"), "ada@example.org, Bob <bob@example.org>");
  assert.equal(fieldOf(mail.text, "Cc"), "c@example.org");
  assert.equal(fieldOf(mail.text, "Bcc"), undefined);
  assert.equal(fieldOf(mail.text, "Reply-To"), "answers@example.org");
  assert.equal(fieldOf(mail.text, "Subject"), "=?UTF-8?Q?Gr=C3=B6=C3=9Fe?=");
  assert.equal(fieldOf(mail.text, "Message-ID"), id);
  assert.equal(fieldOf(mail.text, "Content-Type"), "text/plain; charset=UTF-8");
  assert.match(mail.text, /Gr=C3=BC=C3=9Fe aus Z=C3=BCrich/);
  assert.doesNotMatch(mail.text, /hidden|Camel/);
});

test("headers that steps set come before the endpoint's options, unless useHeader... is false", async (t) => {
  const { app, server } = await started(t);
  const headers = `        - setHeaders:
            headers:
              - { name: To, constant: "eve@example.org" }
              - { name: From, constant: "other@example.org" }
              - { name: Sender, constant: "robot@example.org" }
              - { name: Reply-To, constant: "r@example.org" }
              - { name: Subject, constant: "From a header" }
              - { name: X-Order, constant: "7" }`;
  const to = (more: string): string =>
    `${headers}\n        - to: { uri: smtp, parameters: { from: shop@example.org, to: ada@example.org, cc: c@example.org, subject: Fixed${more} } }`;
  await sent(app, await webhook(app, to("")));
  const fixed = ", useHeaderRecipients: false, useHeaderFrom: false, useHeaderReplyTo: false, useHeaderSubject: false";
  await sent(app, await webhook(app, to(fixed)));
  const shown = server.mails.map(({ from, to: all, text }) => [
    from,
    all.join(),
    ...["From", "Sender", "Reply-To", "Subject", "X-Order"].map((name) => fieldOf(text, name)),
  ]);
  assert.deepEqual(shown, [
    [
      "other@example.org",
      "eve@example.org",
      "other@example.org",
      "robot@example.org",
      "r@example.org",
      "From a header",
      "7",
    ],
    ["shop@example.org", "ada@example.org,c@example.org", "shop@example.org", undefined, undefined, "Fixed", "7"],
  ]);
});

test("HTML goes with its alternative text, in the character set of its type", async (t) => {
  const { app, server } = await started(t);
  const path = await webhook(
    app,
    `        - setHeader: { name: CamelMailAlternativeBody, constant: "Grün" }
        - setBody: { constant: "<b>Grün</b>" }
        - to: "smtp?to=ada@example.org&contentType=text/html; charset=ISO-8859-1"
        - setBody: { simple: "\${header.CamelMailAlternativeBody}" }`,
  );
  assert.equal(await (await app.post(path, "x")).text(), "");
  const [{ text } = { text: "" }] = server.mails;
  assert.match(fieldOf(text, "Content-Type") ?? "", /^multipart\/alternative;/);
  assert.match(
    text,
    /text\/plain; charset=ISO-8859-1[\s\S]*Gr=FCn[\s\S]*text\/html; charset=ISO-8859-1[\s\S]*<b>Gr=FCn<\/b>/,
  );
});

test("attachments go with the mail, as files, or within the text by their Content-ID", async (t) => {
  const { app, server } = await started(t);
  const form = new FormData();
  form.set("cid:logo", new Blob([Uint8Array.of(137, 80, 78, 71)], { type: "image/png" }), "ignored.png");
  form.set("list", new Blob(["a;b"], { type: "text/csv" }), "prices.csv");
  for (const inline of [false, true]) {
    const path = `/mail-${inline}`;
    const put = await app.put(
      `attach-${inline}`,
      `- route:
    id: attach-${inline}
    from:
      uri: platform-http:${path}
      steps:
        - setHeader: { name: Content-Type, constant: text/html }
        - setBody: { constant: "<img src='cid:logo'>" }
        - to: "smtp?to=ada@example.org&useInlineAttachments=${inline}"
`,
    );
    assert.ok(put.ok, await put.text());
    const answer = await fetch(`${app.url}${path}`, { method: "POST", body: form });
    assert.ok(answer.ok, await answer.text());
  }
  for (const [at, disposition] of ["attachment", "inline"].entries()) {
    const text = server.mails[at]?.text ?? "";
    assert.match(text, /multipart\/related/);
    assert.match(text, /Content-Id: <logo>/i);
    assert.match(text, new RegExp(`Content-Disposition: ${disposition}; filename=logo`));
    assert.match(text, new RegExp(`Content-Disposition: ${disposition}; filename=prices\\.csv`));
    assert.match(text, /iVBORw==/);
    assert.match(text, /YTti/);
    assert.doesNotMatch(text, /form-data/);
  }
});

test("a value with a line break begins no header of its own, and is no address", async (t) => {
  const { app, server } = await started(t);
  const path = await webhook(
    app,
    `        - setHeader: { name: Subject, simple: "Hello\${body}" }
        - setHeader: { name: X-Note, simple: "a\${body}" }
        - to: "smtp?to=ada@example.org"
        - removeHeaders: { pattern: "*" }`,
  );
  assert.equal((await app.post(path, "\r\nBcc: eve@example.org")).status, 200);
  const [mail] = server.mails;
  assert.deepEqual(mail?.to, ["ada@example.org"]);
  assert.equal(fieldOf(mail?.text ?? "", "Bcc"), undefined);
  assert.equal(fieldOf(mail?.text ?? "", "Subject"), "Hello Bcc: eve@example.org");
  assert.equal(fieldOf(mail?.text ?? "", "X-Note"), "a Bcc: eve@example.org");
  const addressed = await webhook(
    app,
    `        - setHeader: { name: To, simple: "\${body}" }
        - to: smtp`,
  );
  for (const bad of ["a@example.org\r\nBcc: eve@example.org", "nobody", "<a@example.org> b", "a b@example.org"]) {
    assert.equal((await app.post(addressed, bad)).status, 500, bad);
    const { type, message } = await failureOf(app, addressed);
    assert.equal(type, "jakarta.mail.internet.AddressException", message);
  }
  assert.equal(server.mails.length, 1);
});

test("a caller over HTTP addresses no mail, and sends no header in it", async (t) => {
  const { app, server } = await started(t);
  const path = await webhook(app, `        - to: "smtp?to=ada@example.org"`);
  const body = { "X-Caller": "1", Subject: "From outside", "Content-Type": "text/html" };
  assert.equal((await app.post(path, "<b>x</b>", body)).status, 200);
  const [{ text } = { text: "" }] = server.mails;
  assert.deepEqual(
    ["X-Caller", "Subject", "Content-Type", "Host"].map((name) => fieldOf(text, name)),
    [undefined, undefined, "text/plain; charset=UTF-8", undefined],
  );
  const options = { To: "Recipients", Bcc: "Recipients", From: "From", "Reply-To": "ReplyTo" };
  for (const [name, option] of Object.entries(options)) {
    assert.equal((await app.post(path, "x", { [name]: "eve@example.org" })).status, 200, name);
    const opting = await webhook(app, `        - to: "smtp?to=ada@example.org&useHeader${option}=true"`);
    assert.equal((await app.post(opting, "x", { [name]: "eve@example.org" })).status, 500, name);
    assert.match((await failureOf(app, opting)).message, /a caller may not address mails/);
  }
  assert.equal(server.mails.length, 5);
  for (const { to, from, text: mail } of server.mails) {
    assert.deepEqual([to, from], [["ada@example.org"], "camel@localhost"]);
    assert.doesNotMatch(mail, /eve@example\.org/);
  }
});

test("a mail that one recipient cannot get goes to nobody, and the failure names who and why", async (t) => {
  const { app, server } = await started(t, { refuses: ["gone@example.org", "away@example.org"] });
  const path = await webhook(app, `        - to: "smtp?to=ada@example.org,gone@example.org&cc=away@example.org"`);
  assert.equal((await app.post(path, "x")).status, 500);
  const { type, message } = await failureOf(app, path);
  assert.equal(type, "jakarta.mail.SendFailedException");
  assert.match(message, /gone@example\.org \(550 .*unknown here\), away@example\.org \(550/);
  assert.match(message, /sent to nobody/);
  assert.equal(server.mails.length, 0);
  const well = await webhook(app, `        - to: "smtp?to=ada@example.org"`);
  assert.equal((await app.post(well, "x")).status, 200);
  assert.equal(server.mails.length, 1);
});

test("a mail without recipients, and one with an unknown character set, are not sent", async (t) => {
  const { app, server } = await started(t);
  const none = await webhook(app, `        - to: smtp`);
  assert.equal((await app.post(none, "x")).status, 500);
  assert.equal((await failureOf(app, none)).message, "The mail message does not have any recipients set.");
  const charset = (more: string): string =>
    `        - to: "smtp?to=ada@example.org&contentType=text/plain; charset=x-none${more}"`;
  const unknown = await webhook(app, charset(""));
  assert.equal((await app.post(unknown, "x")).status, 500);
  assert.equal((await failureOf(app, unknown)).type, "java.io.UnsupportedEncodingException");
  assert.equal((await app.post(await webhook(app, charset("&ignoreUnsupportedCharset=true")), "x")).status, 200);
  assert.equal(fieldOf(server.mails[0]?.text ?? "", "Content-Type"), "text/plain; charset=UTF-8");
});

test("mails share a connection, and one that the server has ended meanwhile is replaced", async (t) => {
  const { app, server } = await started(t);
  const path = await webhook(app, `        - to: "smtp?to=ada@example.org"`);
  for (let sent = 0; sent < 3; sent++) assert.equal((await app.post(path, "x")).status, 200);
  assert.equal(server.connections, 1);
  server.hangUp();
  for (let sent = 0; sent < 3; sent++) assert.equal((await app.post(path, "x")).status, 200);
  assert.equal(server.mails.length, 6);
  assert.equal(server.connections, 2);
});

test("the example of the page sends its mail", async (t) => {
  const { app, server } = await started(t);
  const page = readFileSync(new URL("../../../docs/connectors/smtp.md", import.meta.url), "utf8");
  const [, yaml = ""] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  const put = await app.put("confirm", yaml);
  assert.ok(put.ok, await put.text());
  const order = JSON.stringify({ id: 7, customer: "Ada", mail: "ada@example.org" });
  const id = await (await app.post("/api/confirm", order, { "Content-Type": "application/json" })).text();
  const [{ to, text } = { to: [], text: "" }] = server.mails;
  assert.deepEqual(to, ["ada@example.org"]);
  assert.deepEqual(
    ["To", "Subject", "Message-ID"].map((name) => fieldOf(text, name)),
    ["Ada <ada@example.org>", "Your order 7", id],
  );
  assert.match(text, /Thank you, Ada\.[\s\S]*<p>Thank you, <b>Ada<\/b>\.<\/p>/);
});
