/**
 * `{"type": "apiKey", "sha256": "<hex>"}`, with `keys: [{"sha256", "notBefore", "expiresAt"}]` for several at a time.
 */
import * as z from "zod";
import { isFields } from "../../../shared/document-fields.ts";
import type { Path } from "../../../shared/document-place.ts";
import { hidden } from "../../../shared/redact.ts";
import type { ApiKey, ApiKeyPrincipal } from "../principals.ts";
import { isSendable, isWeak, keyHash } from "../schemes/api-key.ts";
import { always, readValidity, type Validity, validityFields } from "../validity.ts";
import { anything, entries, headerName, policyFields, type Reading } from "./reading.ts";

const keyFields = { sha256: anything, key: anything, weak: anything };
export const apiKeyFields = { ...keyFields, keys: anything, header: headerName.optional() };
type Sent = { readonly [Name in keyof typeof apiKeyFields]?: z.output<(typeof apiKeyFields)[Name]> };

const hex = /^(?:sha256:)?([0-9a-f]{64})$/i;
const effect = "the key is not accepted";

/** For a principal with one key: the other fields belong to the principal. */
const single = z.object(keyFields).transform(keyOf);
const ofSeveral = policyFields(
  { ...keyFields, name: anything, ...validityFields },
  { expected: () => "an object with sha256 is expected" },
).transform(keyOf);

/** Reads a principal; undefined: it matches no caller. */
export function readApiKey(
  sent: Sent,
  path: Path,
  reading: Reading,
): Pick<ApiKeyPrincipal, "type" | "keys" | "header"> | undefined {
  const keys: ApiKey[] = [];
  const hasOne = sent.sha256 !== undefined || sent.key !== undefined;
  // The principal's own validity is checked besides.
  if (hasOne) accept(single, sent, path, () => always);
  if (sent.keys !== undefined) {
    for (const { key, value } of reading.read(entries, sent.keys, [...path, "keys"], effect) ?? []) {
      const at = [...path, "keys", key];
      accept(ofSeveral, value, at, () => (isFields(value) ? readValidity(value, at, reading) : always));
    }
  }
  if (!hasOne && sent.keys === undefined) {
    reading.warn("bad_value", path, "an API key needs sha256, the hash of the key: it is nobody");
  }
  return keys.length === 0 ? undefined : { type: "apiKey", keys, header: sent.header };

  function accept(schema: z.ZodType<ReadKey>, value: unknown, at: Path, validity: () => Validity): void {
    const key = reading.read(schema, value, at, effect);
    if (key === undefined) return;
    keys.push({ digest: key.digest, validity: validity() });
    const advice = "replace it by one of `openssl rand -base64 32`";
    if (key.weak) reading.warn("weak_key", at, `the key is short or repeats itself, so it may be guessed: ${advice}`);
  }
}

interface ReadKey {
  readonly digest: Buffer;
  readonly weak: boolean;
}

function keyOf({ sha256, key, weak }: Sent, { addIssue }: z.RefinementCtx): ReadKey {
  const problem = (path: string[], message: string): never => {
    addIssue({ code: "custom", path, message });
    return z.NEVER;
  };
  if (key !== undefined && sha256 !== undefined) return problem([], "a key is given by key or by sha256, not by both");
  if (key === undefined) {
    const digits = typeof sha256 === "string" ? hex.exec(sha256)?.[1] : undefined;
    if (digits === undefined) return problem(["sha256"], "the 64 hexadecimal digits of a SHA-256 are expected");
    return { digest: Buffer.from(digits, "hex"), weak: weak === true };
  }
  if (typeof key !== "string" || !isSendable(key) || key === hidden) {
    const message =
      "this is no key that a header could bring (no line end, no blank at its ends): give the key alone, or its sha256";
    return problem(["key"], message);
  }
  return { digest: Buffer.from(keyHash(key), "hex"), weak: isWeak(key) };
}
