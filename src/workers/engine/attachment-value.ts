/** What steps and expressions see of an attachment's content. */
import type { Attachment } from "./attachments.ts";
import { charsetNamed } from "./charset.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const textual = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript|graphql|sql)\b)/i;

/** The content as a text if it is one of a textual type, else as bytes. */
export function attachmentValue({ contentType, content }: Attachment): string | Uint8Array {
  if (!textual.test(contentType)) return content;
  const charset = /;\s*charset\s*=\s*["']?([\w.:+-]+)/i.exec(contentType)?.[1];
  const named = charset === undefined ? undefined : charsetNamed(charset);
  if (named !== undefined) return named.decode(content);
  try {
    return strict.decode(content);
  } catch {
    return content;
  }
}
