/** The options of smtp endpoints (Camel: smtp.json 4.22). */
import type { Slots, Z } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";
const ofMailboxes = "mailboxes are not read here: leave it out";
const ofSession =
  "write tls, or the field tls of a named connection, for encryption; other properties of Java's mail session have no effect";
const delivered =
  "that steps of the flow have set; with `true`, also headers that a broker has delivered with the message";

export function smtpOptions(z: Z, { text, flag, integer, duration, only, idle, refused }: Slots) {
  return z.object({
    host: text(
      "The mail server in place of a named connection, such as `mail.example.org:25` or `user@mail.example.org`; an EGRESS_ALLOW rule must name it.",
    ).optional(),
    port: integer("The port of the server that `host` names; 25 by default, 465 for `smtps`.").optional(),
    connection: text(
      "The named connection to the mail server, such as `#mail`. Without it, and without `host`, the default connection of the flow's group.",
    ).optional(),
    username: text("The user at the server that `host` names.").optional(),
    password: text("The password of `username`. Write a secret: `{{secret:NAME}}`.").optional(),
    tls: flag(
      "Encrypts the connection to `host` with STARTTLS, and checks the server's certificate; `smtps` always encrypts.",
    ).default(false),
    "mail.smtp.starttls.enable": flag("Another spelling of `tls`, as Java's mail session has it.").default(false),
    "mail.smtp.starttls.required": flag("Another spelling of `tls`, as Java's mail session has it.").default(false),
    to: text("To whom the mail goes, unless a step has set a header To, Cc or Bcc: addresses with commas.").optional(),
    cc: text("Who gets a copy, unless a step has set a header To, Cc or Bcc.").optional(),
    bcc: text("Who gets a copy that others do not see, unless a step has set a header To, Cc or Bcc.").optional(),
    from: text(
      "The sender, unless a step has set a header From: `shop@example.org` or `Shop <shop@example.org>`.",
    ).default("camel@localhost"),
    replyTo: text("Where replies go, unless a step has set a header Reply-To: addresses with commas.").optional(),
    subject: text("The subject, unless a step has set a header Subject.").optional(),
    useHeaderRecipients: flag(
      `Takes the recipients of the headers To, Cc and Bcc ${delivered}; with \`false\` always the recipients of the options.`,
    ).optional(),
    useHeaderFrom: flag(
      `Takes the sender of the headers From and Sender ${delivered}; with \`false\` always \`from\`.`,
    ).optional(),
    useHeaderReplyTo: flag(`Takes the header Reply-To ${delivered}; with \`false\` always \`replyTo\`.`).optional(),
    useHeaderSubject: flag(`Takes the header Subject ${delivered}; with \`false\` always \`subject\`.`).optional(),
    contentType: text(
      "The type of the text, such as `text/html; charset=UTF-8`, unless a step has set a header contentType or Content-Type.",
    ).default("text/plain"),
    alternativeBodyHeader: text(
      "The header with the same text as plain text, for readers that do not show HTML. It is not sent as a header.",
    ).default("CamelMailAlternativeBody"),
    useInlineAttachments: flag(
      "Shows attachments within the text where the reader can; with `false` they are files.",
    ).default(false),
    ignoreUnsupportedCharset: flag(
      "Sends UTF-8 in place of a character set that the runtime does not have; without this the message fails.",
    ).default(false),
    connectionTimeout: duration("How long a message waits for a connection to the server.")
      .refine((ms) => ms > 0, "connectionTimeout is above 0")
      .default(30_000),
    "mail.smtp.auth": idle(flag, "the runtime logs in when there is a username"),

    additionalJavaMailProperties: refused(ofSession),
    javaMailProperties: refused(ofSession),
    useJavaMailSessionPropertiesFromHeaders: only(
      false,
      "a message may not change how the server is reached: name a connection",
    ),
    javaMailSender: refused(noBeans),
    session: refused("write a named connection, and connection"),
    binding: refused(noBeans),
    authenticator: refused("write username and password, or a named connection"),
    sslContextParameters: refused("write a named connection, whose field tls has ca, certRef and keyRef"),
    headerFilterStrategy: refused("which headers are sent is fixed: use removeHeaders"),
    attachmentsContentTransferEncodingResolver: refused("attachments are sent as base64: leave it out"),
    contentTypeResolver: refused("attachments have their types: leave it out"),
    debugMode: only(false, "watch the trace stream"),
    ignoreUriScheme: only(false, "write the scheme that is meant"),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),

    closeFolder: refused(ofMailboxes, "true"),
    copyTo: refused(ofMailboxes),
    decodeFilename: refused(ofMailboxes, "false"),
    delete: refused(ofMailboxes, "false"),
    disconnect: refused(ofMailboxes, "false"),
    handleFailedMessage: refused(ofMailboxes, "false"),
    maxMessagesPerPoll: refused(ofMailboxes),
    mimeDecodeHeaders: refused(ofMailboxes, "false"),
    moveTo: refused(ofMailboxes),
    peek: refused(ofMailboxes, "true"),
    sendEmptyMessageWhenIdle: refused(ofMailboxes, "false"),
    skipFailedMessage: refused(ofMailboxes, "false"),
    unseen: refused(ofMailboxes, "true"),
    bridgeErrorHandler: refused(ofMailboxes, "false"),
    exceptionHandler: refused(ofMailboxes),
    exchangePattern: refused("a mail has no reply: leave it out", "InOnly"),
    failOnDuplicateFileAttachment: refused(ofMailboxes, "false"),
    fetchSize: refused(ofMailboxes, "-1"),
    folderName: refused(ofMailboxes, "INBOX"),
    generateMissingAttachmentNames: refused(ofMailboxes),
    handleDuplicateAttachmentNames: refused(ofMailboxes),
    mailUidGenerator: refused(ofMailboxes),
    mapMailMessage: refused(ofMailboxes, "true"),
    pollStrategy: refused(ofMailboxes),
    postProcessAction: refused(ofMailboxes),
    idempotentRepository: refused(ofMailboxes),
    idempotentRepositoryRemoveOnCommit: refused(ofMailboxes, "true"),
    searchTerm: refused(ofMailboxes),
    sortTerm: refused(ofMailboxes),
    backoffErrorThreshold: refused(ofMailboxes),
    backoffIdleThreshold: refused(ofMailboxes),
    backoffMultiplier: refused(ofMailboxes),
    delay: refused(ofMailboxes, "60000"),
    greedy: refused(ofMailboxes, "false"),
    initialDelay: refused(ofMailboxes, "1000"),
    repeatCount: refused(ofMailboxes, "0"),
    runLoggingLevel: refused(ofMailboxes, "TRACE"),
    scheduledExecutorService: refused(ofMailboxes),
    scheduler: refused(ofMailboxes, "none"),
    schedulerProperties: refused(ofMailboxes),
    startScheduler: refused(ofMailboxes, "true"),
    timeUnit: refused(ofMailboxes, "MILLISECONDS"),
    useFixedDelay: refused(ofMailboxes, "true"),
  });
}

export type SmtpOptions = ReturnType<ReturnType<typeof smtpOptions>["parse"]>;
