/** Reads addresses of mails (RFC 5322 3.4) as messages and options have them. */

import type { Mailbox } from "../../connectors/mail-client.ts";
import { FlowException } from "../../engine/exception.ts";

/** The most addresses of one field. */
const mostAddresses = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const control = /[\x00-\x1f\x7f]/;
const plain = /^[^\s<>()[\],;:\\"@]+@[^\s<>()[\],;:\\"@]+$/u;
const quoted = /^"(?:[^"\\]|\\.)+"@[^\s<>()[\],;:\\"@]+$/u;

/**
 * Reads `Ada <ada@example.org>, bob@example.org`, with commas or semicolons; "" has none. `field`: for messages. Throws
 * AddressException for what is no address, and for line breaks, which would begin a header of their own.
 */
export function readAddresses(text: string, field: string): readonly Mailbox[] {
  if (control.test(text)) throw refused(field, "a line break or another control character", text);
  const boxes = split(text).map((one) => readMailbox(one, field));
  if (boxes.length <= mostAddresses) return boxes;
  throw new FlowException(
    "jakarta.mail.internet.AddressException",
    `${field} has ${boxes.length} addresses, and may have ${mostAddresses}: send several mails`,
  );
}

/** Divides at commas and semicolons that are not within quotes or angle brackets. */
function split(text: string): readonly string[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^,;])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function readMailbox(text: string, field: string): Mailbox {
  const [, words, inside] = /^(.*?)<([^<>]*)>$/.exec(text) ?? [];
  const address = (inside ?? text).trim();
  if (!plain.test(address) && !quoted.test(address)) throw refused(field, "no address", text);
  const name = (words ?? "").trim();
  const unquoted = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1]?.replaceAll(/\\(.)/g, "$1");
  return { name: unquoted ?? name, address };
}

function refused(field: string, what: string, text: string): FlowException {
  const shown = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
  return new FlowException("jakarta.mail.internet.AddressException", `${field} has ${what}: ${shown}`);
}
