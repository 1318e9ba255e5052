/** Reads the attachments in what a thread has recorded of a message. */
import { amount, objectOf, text } from "../../shared/frame-values.ts";
import type { ShownAttachment } from "../../shared/shown-attachment.ts";

/** Reads what a thread has sent. Throws for what is no list of attachments. */
export function readShownAttachments(sent: unknown): readonly ShownAttachment[] {
  if (!Array.isArray(sent)) throw new Error("attachments are a list");
  return sent.map((one) => {
    const { name, fileName, contentType, bytes } = objectOf(one);
    return {
      name: text(name, "an attachment's name"),
      ...(fileName === undefined ? {} : { fileName: text(fileName, "a file's name") }),
      contentType: text(contentType, "an attachment's type"),
      bytes: amount(bytes, "an attachment's size"),
    };
  });
}
