/** A form as the message of a platform-http route: its fields become headers, and the body as a map. */

import type { Limits } from "../shared/limits.ts";
import type { HttpTrigger } from "../shared/manifest.ts";
import { type FormBody, readForm } from "./engine/form.ts";
import type { Headers } from "./engine/headers.ts";
import { limitExceeded } from "./engine/limit-exceeded.ts";

/** The longest escape of a byte, `%00`. */
const escapeLength = 3;

/**
 * The body. A name that a header or query parameter has, too, becomes a list (VertxPlatformHttpConsumer.populateMultiFormData).
 * Throws FormError; LimitExceededException when the fields are more than a message's headers hold.
 */
export function receiveForm(
  encoded: string,
  headers: Headers,
  { headerBytes }: Limits,
  { formAsBody }: HttpTrigger,
): FormBody | null {
  if (encoded.length > headerBytes * escapeLength) {
    throw limitExceeded("headerBytes", `a form's fields have at most ${headerBytes} bytes together`);
  }
  const form = readForm(encoded);
  if (form === null) return null;
  for (const [name, value] of Object.entries(form.value as Record<string, unknown>)) {
    const present = headers.get(name);
    headers.receive(name, present === undefined ? value : [present, value].flat());
  }
  return formAsBody ? form : null;
}
