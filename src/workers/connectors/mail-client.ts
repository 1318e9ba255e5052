/** A connection to a mail server, as components use it. */

export interface Mailbox {
  /** "": the address alone. */
  readonly name: string;
  readonly address: string;
}

export interface MailText {
  /** With its character set. */
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface MailAttachment extends MailText {
  readonly fileName: string;
  readonly isInline: boolean;
  /** Present: HTML names it as `cid:...`. */
  readonly contentId?: string;
  readonly headers: readonly MailHeader[];
}

export type MailHeader = readonly [name: string, value: string];

export interface OutgoingMail {
  /** With its angle brackets. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly sender?: Mailbox | undefined;
  readonly replyTo: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
  readonly subject?: string | undefined;
  readonly headers: readonly MailHeader[];
  /** The same text in different forms, the best one last. */
  readonly texts: readonly MailText[];
  readonly attachments: readonly MailAttachment[];
}

export interface MailClient {
  /**
   * Sends the mail to all of its recipients, or to none. Rejects with a FlowException that has Camel's class, and with
   * ConnectionGone. After a failure the client cannot be used any more. `signal`: aborted when the mail must be sent.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

/** The server had ended an idle connection before it took anything of the mail, which another connection may send. */
export class ConnectionGone extends Error {}
