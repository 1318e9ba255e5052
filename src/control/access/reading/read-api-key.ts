/** `{"type": "apiKey", "sha256": "<hex>"}`, with `keys: [{"sha256", "notBefore", "expiresAt"}]` for several at a time. */

import { hidden } from "../../../shared/redact.ts";
import type { ApiKey, ApiKeyPrincipal } from "../principals.ts";
import { keyHash } from "../schemes/api-key.ts";
import { always, readValidity, type Validity, validityFields } from "../validity.ts";
import { readHeaderName } from "./header-names.ts";
import { isSendable, isWeak } from "./key-strength.ts";
import { type Fields, isFields, own, place, type Reading } from "./reading.ts";

export const apiKeyFields = ["sha256", "key", "keys", "weak", "header"] as const;
const keyFields = ["sha256", "key", "weak", "name", ...validityFields] as const;
const hex = /^(?:sha256:)?([0-9a-f]{64})$/i;

/** undefined: it is nobody. */
export function readApiKey(
  fields: Fields,
  pointer: string,
  reading: Reading,
): Pick<ApiKeyPrincipal, "type" | "keys" | "header"> | undefined {
  const keys: ApiKey[] = [];
  const single = own(fields, "sha256") !== undefined || own(fields, "key") !== undefined;
  const several = own(fields, "keys");
  // When the principal itself is valid is asked besides.
  if (single) keys.push(...readKey(fields, pointer, reading, always));
  if (several !== undefined) {
    for (const entry of reading.entries(several, place(pointer, "keys")) ?? []) {
      const known =
        isFields(entry.value) && reading.allKnown(entry.value, entry.pointer, keyFields, "the key is not accepted");
      if (!isFields(entry.value))
        reading.bad(entry.pointer, "an object with sha256 is expected: the key is not accepted");
      else if (known) {
        keys.push(...readKey(entry.value, entry.pointer, reading, readValidity(entry.value, entry.pointer, reading)));
      }
    }
  }
  if (!single && several === undefined)
    reading.bad(pointer, "an API key needs sha256, the hash of the key: it is nobody");
  const named = own(fields, "header");
  const header = named === undefined ? undefined : readHeaderName(named, place(pointer, "header"), reading);
  if (keys.length === 0 || (named !== undefined && header === undefined)) return undefined;
  return { type: "apiKey", keys, header };
}

function readKey(fields: Fields, pointer: string, reading: Reading, validity: Validity): ApiKey[] {
  const clear = own(fields, "key");
  const sha256 = own(fields, "sha256");
  if (clear !== undefined && sha256 !== undefined) {
    reading.bad(pointer, "a key is given by key or by sha256, not by both: it is not accepted");
    return [];
  }
  if (clear !== undefined) {
    if (typeof clear !== "string" || !isSendable(clear) || clear === hidden) {
      reading.bad(
        place(pointer, "key"),
        "this is no key that a header could bring (no line end, no blank at its ends), so it is not accepted: give the key alone, or its sha256",
      );
      return [];
    }
    warnOfWeakness(isWeak(clear));
    return [{ digest: Buffer.from(keyHash(clear), "hex"), validity }];
  }
  const digits = typeof sha256 === "string" ? hex.exec(sha256)?.[1] : undefined;
  if (digits === undefined) {
    reading.bad(
      place(pointer, "sha256"),
      "the 64 hexadecimal digits of a SHA-256 are expected: the key is not accepted",
    );
    return [];
  }
  warnOfWeakness(own(fields, "weak") === true);
  return [{ digest: Buffer.from(digits, "hex"), validity }];

  function warnOfWeakness(weak: boolean): void {
    const advice = "replace it by one of `openssl rand -base64 32`";
    if (weak) reading.warn("weak_key", pointer, `the key is short or repeats itself, so it may be guessed: ${advice}`);
  }
}
