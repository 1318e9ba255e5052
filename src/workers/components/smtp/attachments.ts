/** The attachments of a message as those of a mail (Camel: MailBinding.addAttachmentsToMultipart). */
import type { MailAttachment } from "../../connectors/mail-client.ts";
import type { Attachment } from "../../engine/attachments.ts";
import type { Exchange } from "../../engine/exchange.ts";

/** Headers that follow from the attachment itself. */
const ownHeaders: ReadonlySet<string> = new Set(
  "content-type content-disposition content-transfer-encoding content-length content-id mime-version".split(" "),
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const controls = /[\x00-\x1f\x7f]+/g;

export function attachmentsOf({ message }: Exchange, isInline: boolean): readonly MailAttachment[] {
  if (!message.hasAttachments) return [];
  return Array.from(message.attachments.entries(), ([key, attachment]) => mailAttachment(key, attachment, isInline));
}

/** A key that begins with `cid:` is what HTML names the attachment by; otherwise the header Content-ID is. */
function mailAttachment(
  key: string,
  { fileName, contentType, headers, content }: Attachment,
  isInline: boolean,
): MailAttachment {
  const isNamed = key.toLowerCase().startsWith("cid:");
  const given = headers.find(([name]) => name.toLowerCase() === "content-id")?.[1];
  const contentId = isNamed ? key.slice(4) : given?.replace(/^<(.*)>$/, "$1");
  return {
    fileName: clean(isNamed ? key.slice(4) : (fileName ?? key)),
    contentType: clean(contentType),
    content,
    isInline,
    ...(contentId !== undefined && contentId !== "" && { contentId: clean(contentId).replaceAll(/[<>\s]/g, "") }),
    headers: headers
      .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => [name, clean(value)] as const),
  };
}

function clean(text: string): string {
  return text.replaceAll(controls, " ").trim();
}
