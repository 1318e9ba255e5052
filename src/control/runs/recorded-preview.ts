/** What a run's document shows of a message that was recorded: texts, cut to what a preview has. */
import { defaultLimits } from "../../shared/limits.ts";
import type { RecordedMessage } from "../../shared/mock.ts";
import type { MessagePreview } from "../../shared/protocol.ts";

const { previewBytes } = defaultLimits;
const mostHeader = 512;
/** Steps that saw the same message share what is shown of it. */
const made = new WeakMap<RecordedMessage, MessagePreview>();

/** As previews from threads are: headers have at most half of it, and what is cut ends with `...`. */
export function previewOf(message: RecordedMessage): MessagePreview {
  const known = made.get(message);
  if (known !== undefined) return known;
  const headers: Record<string, string> = Object.create(null);
  let left = previewBytes;
  for (const [name, value] of Object.entries(message.headers)) {
    const text = cut(textOf(value), mostHeader);
    if (left - name.length - text.length < previewBytes / 2) break;
    left -= name.length + text.length;
    headers[name] = text;
  }
  const body = message.cut === true ? `${textOf(message.body)}...` : textOf(message.body);
  const preview = { headers: { ...headers }, body: cut(body, left), bodyType: message.bodyType };
  made.set(message, preview);
  return preview;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 3))}...`;
}
