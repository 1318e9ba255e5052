/** One connection to a mail server, which sends one mail after another. */
import type { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { ConnectionServer } from "../../../shared/connection.ts";
import { ConnectionGone, type MailClient, type OutgoingMail } from "../mail-client.ts";
import { readMail } from "./compose.ts";
import { type Refusal, type SmtpError, sendFailure } from "./failure.ts";

/** The envelope of a mail. While it is sent the library notes in it which recipients the server has refused. */
interface Envelope {
  readonly from: string;
  readonly to: string[];
  readonly rejected?: readonly string[];
  readonly rejectedErrors?: readonly (SmtpError & { readonly recipient?: string })[];
}

export class SmtpClient implements MailClient {
  readonly connection: SMTPConnection;
  /** The server's greeting. */
  readonly greeting: string;
  readonly #server: string;
  #hasSent = false;

  constructor(connection: SMTPConnection, greeting: string, { host, port }: ConnectionServer) {
    this.connection = connection;
    this.greeting = greeting;
    this.#server = `${host}:${port}`;
  }

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const envelope: Envelope = { from: mail.from.address, to: recipientsOf(mail) };
    const text = readMail(mail);
    const begun = { isRead: false };
    const giveUp = (): void => {
      text.destroy();
      this.connection.close();
    };
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      await Promise.race([this.#send(envelope, text, begun), aborted(signal)]);
      this.#hasSent = true;
    } catch (error) {
      giveUp();
      signal.throwIfAborted();
      if (this.#hasSent && !begun.isRead && isGone(error)) throw new ConnectionGone();
      throw sendFailure(this.#server, error, refusalsOf(envelope));
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  /**
   * The library sends the text when the server takes any of the recipients. Here it must take all of them: otherwise the
   * text is not sent, and the server forgets the mail with the connection.
   */
  #send(envelope: Envelope, text: Readable, begun: { isRead: boolean }): Promise<void> {
    const { pipe } = text;
    text.pipe = (to, options) => {
      begun.isRead = true;
      if ((envelope.rejected?.length ?? 0) > 0) text.destroy(new Error("the server refuses a recipient"));
      return pipe.call(text, to, options) as typeof to;
    };
    return new Promise((resolve, reject) => {
      this.connection.send(envelope as { from: string; to: string[] }, text, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

function recipientsOf({ to, cc, bcc }: OutgoingMail): string[] {
  return [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))];
}

function refusalsOf({ rejectedErrors = [] }: Envelope): readonly Refusal[] {
  return rejectedErrors.map(({ recipient = "", response, message }) => ({ recipient, answer: response ?? message }));
}

/** Whether the server has closed the connection, or says that it does (421). */
function isGone(error: unknown): boolean {
  const { code, responseCode } = error as SmtpError;
  return responseCode === 421 || code === "ECONNECTION" || code === "ESOCKET";
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
