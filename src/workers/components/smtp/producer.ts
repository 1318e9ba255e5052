/** Sends a mail for each message (Camel: MailProducer, MailBinding 4.22). */
import { randomHex } from "../../../shared/ids.ts";
import { ConnectionGone, type Mailbox, type MailClient, type OutgoingMail } from "../../connectors/mail-client.ts";
import type { ProducerContext } from "../../engine/component.ts";
import type { Connection, Lease } from "../../engine/connections/connection.ts";
import { FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import { readAddresses } from "./addresses.ts";
import { attachmentsOf } from "./attachments.ts";
import { connectionOf } from "./connection.ts";
import { MailHeaders, type UseHeader } from "./message-headers.ts";
import type { SmtpOptions } from "./options.ts";
import { textsOf } from "./texts.ts";

/** Throws an Error that names the fault of the endpoint. */
export function smtpProducer(scheme: "smtp" | "smtps", options: SmtpOptions, context: ProducerContext): Processor {
  const endpoint = new SmtpEndpoint(options, connectionOf(scheme, options, context), context);
  return (exchange) => endpoint.process(exchange);
}

interface Recipients {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
}

class SmtpEndpoint {
  readonly #options: SmtpOptions;
  readonly #connection: Connection<MailClient>;
  readonly #totalMs: number;
  readonly #from: readonly Mailbox[];
  readonly #replyTo: readonly Mailbox[];
  readonly #recipients: Recipients;

  /** Throws AddressException for an option that has no address. */
  constructor(options: SmtpOptions, connection: Connection<MailClient>, { limits }: ProducerContext) {
    const { from, replyTo = "", to = "", cc = "", bcc = "" } = options;
    this.#options = options;
    this.#connection = connection;
    this.#totalMs = limits.outboundTotalMs;
    this.#from = readAddresses(from, "from");
    this.#replyTo = readAddresses(replyTo, "replyTo");
    this.#recipients = {
      to: readAddresses(to, "to"),
      cc: readAddresses(cc, "cc"),
      bcc: readAddresses(bcc, "bcc"),
    };
  }

  async process(exchange: Exchange): Promise<void> {
    const mail = this.#mailOf(exchange);
    await this.#send(mail, exchange);
    const { headers } = exchange.message;
    headers.delete(this.#options.alternativeBodyHeader);
    headers.set("CamelMailMessageId", mail.messageId);
  }

  #mailOf(exchange: Exchange): OutgoingMail {
    const { useHeaderFrom, useHeaderReplyTo, useHeaderSubject, useInlineAttachments, alternativeBodyHeader } =
      this.#options;
    const headers = new MailHeaders(exchange);
    const boxes = (name: string, use: UseHeader): readonly Mailbox[] =>
      headers.addresses(name, use)?.flatMap((text) => readAddresses(text, name)) ?? [];
    const [from] = [...boxes("From", useHeaderFrom), ...this.#from];
    if (from === undefined) throw new FlowException("java.lang.IllegalArgumentException", "the mail has no sender");
    const replyTo = boxes("Reply-To", useHeaderReplyTo);
    return {
      messageId: `<${randomHex(32)}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`,
      from,
      sender: boxes("Sender", useHeaderFrom)[0],
      replyTo: replyTo.length > 0 ? replyTo : this.#replyTo,
      ...this.#recipientsOf(boxes),
      subject: headers.line("Subject", useHeaderSubject) ?? this.#options.subject,
      headers: [...headers.sent(alternativeBodyHeader)],
      texts: textsOf(exchange, headers, this.#options),
      attachments: attachmentsOf(exchange, useInlineAttachments),
    };
  }

  /** As in Camel, either all recipients are those of headers, or all those of the endpoint. */
  #recipientsOf(boxes: (name: string, use: UseHeader) => readonly Mailbox[]): Recipients {
    const { useHeaderRecipients: use } = this.#options;
    const given = { to: boxes("To", use), cc: boxes("Cc", use), bcc: boxes("Bcc", use) };
    const found = [given, this.#recipients].find(({ to, cc, bcc }) => to.length + cc.length + bcc.length > 0);
    if (found !== undefined) return found;
    throw new FlowException("java.lang.IllegalArgumentException", "The mail message does not have any recipients set.");
  }

  async #send(mail: OutgoingMail, { run }: Exchange): Promise<void> {
    const over = new AbortController();
    const ms = this.#totalMs;
    const timer = setTimeout(
      () =>
        over.abort(
          limitExceeded("outboundTotalMs", `a mail is sent within ${ms} ms; it is not known whether the server has it`),
        ),
      ms,
    );
    const signal = AbortSignal.any([run.signal, over.signal]);
    try {
      for (;;) {
        const lease = await this.#lend(run, signal);
        try {
          await lease.client.send(mail, signal);
          return lease.release();
        } catch (error) {
          lease.release(true);
          if (!(error instanceof ConnectionGone)) throw error;
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #lend(run: Exchange["run"], signal: AbortSignal): Promise<Lease<MailClient>> {
    const { connectionTimeout: ms } = this.#options;
    const late = AbortSignal.timeout(ms);
    try {
      return await this.#connection.lend(run, AbortSignal.any([signal, late]));
    } catch (error) {
      if (error !== late.reason) throw error;
      throw new FlowException(
        "org.eclipse.angus.mail.util.MailConnectException",
        `there was no connection to the mail server within ${ms} ms (connectionTimeout)`,
      );
    }
  }
}
