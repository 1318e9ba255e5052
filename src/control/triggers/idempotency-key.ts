/** The value of an `Idempotency-Key` header. */
import { AppError } from "../../shared/errors.ts";

const most = 255;
/** The form that callers send: visible ASCII, without the characters of a list or a quoted text. */
const bare = /^[\x21\x23-\x2b\x2d-\x7e]+$/;
/** The form of the IETF draft (draft-ietf-httpapi-idempotency-key-header 2.1): a string of RFC 8941 3.3.3. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** Returns the key, 1 to 255 characters: `"k1"` and `k1` are the same. Throws bad_idempotency_key. */
export function readIdempotencyKey(text: string): string {
  const key = bare.test(text) ? text : quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, "$1");
  if (key === undefined || key === "" || key.length > most) {
    throw new AppError(
      "bad_idempotency_key",
      `send one Idempotency-Key of 1 to ${most} visible ASCII characters, such as a UUID, plain or in double quotes`,
    );
  }
  return key;
}
