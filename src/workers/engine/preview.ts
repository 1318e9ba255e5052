/** The preview of a message in a run record or a trace event: redacted, cut, and cheap for a large body. */

import type { MessagePreview } from "../../shared/protocol.ts";
import { redact, redactHeader } from "../../shared/redact.ts";
import { type Mask, maskMargin, noMask } from "../../shared/secret-mask.ts";
import { boundedText } from "./bounded-text.ts";
import { javaType } from "./convert.ts";
import type { Headers } from "./headers.ts";
import type { Message } from "./message.ts";
import { shownAttachments } from "./shown-attachments.ts";

const headerValueCharacters = 512;
const encoder = new TextEncoder();

/**
 * Returns at most about `budget` bytes of UTF-8, at most half of them headers and a quarter attachments. A cut body ends
 * with `...`. `message` has the attachments.
 */
export function preview(
  headers: Headers,
  body: unknown,
  budget: number,
  mask: Mask = noMask,
  message?: Message,
): MessagePreview {
  // Reads beyond the cut, so that a secret there is recognized and hidden.
  const read = (value: unknown, most: number): string =>
    mask(boundedText(value, mask === noMask ? most : most + maskMargin), most);
  const shown: Record<string, string> = {};
  const attached = message && shownAttachments(message, Math.floor(budget / 4), mask);
  let left = budget - (attached?.bytes ?? 0);
  for (const [name, value] of headers.entries()) {
    const text = cut(redactHeader(name, read(value, headerValueCharacters)), headerValueCharacters);
    const size = name.length + encoder.encode(text).length;
    if (left - size < budget / 2) break;
    left -= size;
    // An assignment to `__proto__` would not make a member.
    Object.defineProperty(shown, mask(name), { value: text, enumerable: true, configurable: true });
  }
  return {
    headers: shown,
    body: cut(redact(read(body, left + 1)), left),
    bodyType: shortType(body),
    ...(attached?.list !== undefined && { attachments: attached.list }),
  };
}

/** Cuts a text to `budget` bytes of UTF-8, with `...` at the end. */
export function cut(text: string, budget: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(budget));
  return read === text.length ? text : `${text.slice(0, Math.max(0, read - 3))}...`;
}

/**
 * Returns a value's class as in Camel's logs: `String`, `byte[]`, `java.util.ArrayList`
 * (DefaultExchangeFormatter.getBodyTypeAsString).
 */
export function shortType(value: unknown): string {
  return javaType(value).replace(/^java\.lang\./, "");
}
