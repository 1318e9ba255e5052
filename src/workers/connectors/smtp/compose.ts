/** Makes the text of a mail. Lines, encodings and the nesting of its parts are the library's. */
import type { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import type { MailAttachment, Mailbox, MailHeader, MailText, OutgoingMail } from "../mail-client.ts";

export function readMail(mail: OutgoingMail): Readable {
  const { from, sender, replyTo, to, cc, subject, messageId, headers, texts, attachments } = mail;
  const composer = new MailComposer({
    from: { ...from },
    ...(sender !== undefined && { sender: { ...sender } }),
    replyTo: addresses(replyTo),
    to: addresses(to),
    cc: addresses(cc),
    ...(subject !== undefined && { subject }),
    messageId,
    headers: headers.map(entry),
    alternatives: texts.map(textPart),
    attachments: attachments.map(attachmentPart),
    // Nothing of a message may name a file or an address that is read here.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().createReadStream();
}

function addresses(boxes: readonly Mailbox[]): Mailbox[] {
  return boxes.map(({ name, address }) => ({ name, address }));
}

function entry([key, value]: MailHeader): { key: string; value: string } {
  return { key, value };
}

function textPart({ contentType, content }: MailText) {
  return { contentType, content: bytes(content), contentTransferEncoding: "quoted-printable" as const };
}

function attachmentPart({ fileName, contentType, content, isInline, contentId, headers }: MailAttachment) {
  return {
    filename: fileName,
    contentType,
    content: bytes(content),
    contentDisposition: isInline ? ("inline" as const) : ("attachment" as const),
    ...(contentId !== undefined && { cid: contentId }),
    headers: headers.map(entry),
  };
}

function bytes(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}
