/** Text of a flow on its way out of its thread, for logs, records and watchers. */
import { redact } from "../../shared/redact.ts";
import type { Mask } from "../../shared/secret-mask.ts";

/** Without secrets, at most about `most` characters of it; a note says how many there were. */
export function told(text: string, mask: Mask, most: number): string {
  const shown = redact(mask(text, most));
  if (text.length <= most && shown.length <= most) return shown;
  return `${shown.slice(0, most)}... (${text.length} characters)`;
}

/** The same for an error's message, without the note. */
export function toldError(text: string, mask: Mask, most: number): string {
  return redact(mask(text, most));
}
