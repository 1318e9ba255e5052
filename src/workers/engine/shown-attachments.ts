/** Lists the attachments of a message for records and previews: names, types and sizes, redacted and within a budget. */
import type { Mask } from "../../shared/secret-mask.ts";
import type { ShownAttachment } from "../../shared/shown-attachment.ts";
import type { Message } from "./message.ts";
import { recordedText } from "./recorded-value.ts";

/** The most bytes of a name or a type. */
const mostText = 200;
/** What an entry takes besides its texts. */
const entryBytes = 60;

export interface ShownAttachments {
  /** undefined: the message has none. */
  readonly list: readonly ShownAttachment[] | undefined;
  /** The approximate size as JSON. */
  readonly bytes: number;
  /** true: some are left out, or a text of theirs is cut. */
  readonly cut: boolean;
  readonly redacted: boolean;
}

const none: ShownAttachments = { list: undefined, bytes: 0, cut: false, redacted: false };

export function shownAttachments(
  message: Pick<Message, "hasAttachments" | "attachments">,
  budget: number,
  mask: Mask,
): ShownAttachments {
  if (!message.hasAttachments) return none;
  const list: ShownAttachment[] = [];
  let bytes = 0;
  let whole = true;
  let plain = true;
  const shown = (text: string): string => {
    const { value, cut, redacted } = recordedText(text, mostText, mask);
    whole &&= !cut;
    plain &&= !redacted;
    return String(value);
  };
  for (const [name, { fileName, contentType, content }] of message.attachments.entries()) {
    const one: ShownAttachment = {
      name: shown(name),
      ...(fileName !== undefined && { fileName: shown(fileName) }),
      contentType: shown(contentType),
      bytes: content.length,
    };
    const size = one.name.length + (one.fileName?.length ?? 0) + one.contentType.length + entryBytes;
    if (bytes + size > budget) {
      whole = false;
      break;
    }
    bytes += size;
    list.push(one);
  }
  return { list, bytes, cut: !whole, redacted: !plain };
}
