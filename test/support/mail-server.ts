/** A mail server in this process: it keeps what it is sent. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { cert, key } from "./localhost-cert.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The whole mail as it was sent. */
  readonly text: string;
  readonly user: string | undefined;
  readonly isEncrypted: boolean;
  /** Of the connection. */
  readonly session: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** How many connections there were. */
  readonly connections: number;
  /** Ends all connections that nobody uses now. */
  hangUp(): void;
}

export interface MailServerOptions extends SMTPServerOptions {
  /** Recipients that the server does not take. */
  readonly refuses?: readonly string[];
  /** The password of the user `shop`; absent: nobody logs in. */
  readonly password?: string;
}

export async function startMailServer(
  t: TestContext,
  { refuses = [], password, ...options }: MailServerOptions = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    key,
    cert,
    authOptional: password === undefined,
    closeTimeout: 1,
    ...options,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password: given }, _session, done) {
      if (username === "shop" && given === password) done(null, { user: username });
      else done(new Error("Wrong name or password"));
    },
    onRcptTo({ address }, _session, done) {
      if (!refuses.includes(address)) return done();
      done(Object.assign(new Error(`<${address}> unknown here`), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString("latin1"),
          user: session.user,
          isEncrypted: session.secure,
          session: session.id,
        });
        done();
      });
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  t.after(() => new Promise<void>((closed) => server.close(() => closed())));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    get connections() {
      return connections;
    },
    hangUp() {
      for (const connection of server.connections) connection.close();
    },
  };
}

/** Returns the value of a field of a mail's head, unfolded; undefined without it. */
export function fieldOf(text: string, name: string): string | undefined {
  const [head = ""] = text.split("\r\n\r\n");
  const line = head
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}
