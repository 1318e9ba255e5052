/**
 * How a sender signs a request's bytes with HMAC-SHA256 (RFC 2104): the meaning of the headers, and exactly what is
 * signed.
 */
import type { IncomingHttpHeaders } from "node:http";

/** A request's signature by its headers; it is valid when one of `signatures` is the HMAC of `prefix` and the body. */
export interface Signed {
  readonly prefix: Buffer;
  readonly signatures: readonly Buffer[];
  /** Identifies a delivery that is repeated; undefined: what is signed does. */
  readonly delivery: string | undefined;
}

export interface SignatureScheme {
  readonly name: string;
  /** The header's name in lower case: a request with it presents a signature. */
  readonly header: string;
  /** Reads the headers, or returns the reason why they hold no valid signature. */
  read(headers: IncomingHttpHeaders, now: number, toleranceMs: number): Signed | string;
  /** Returns the bytes of a secret; undefined: it cannot be one. */
  key(secret: string): Buffer | undefined;
}

/** The UTF-8 bytes of a secret; undefined for the empty one, which everybody knows. */
export function utf8Key(secret: string): Buffer | undefined {
  return secret === "" ? undefined : Buffer.from(secret);
}

/** Returns what is wrong with a time in Unix seconds that is too far before or after `now`. */
export function timeProblem(seconds: string, now: number, toleranceMs: number): string | undefined {
  if (!/^\d{1,12}$/.test(seconds)) return "a signature whose time is malformed";
  const off = now - Number(seconds) * 1000;
  if (Math.abs(off) <= toleranceMs) return undefined;
  return off > 0 ? "a signature that is too old" : "a signature of a time to come";
}
