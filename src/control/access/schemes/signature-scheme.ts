/** How a sender signs a request's bytes with HMAC-SHA256 (RFC 2104): which headers say what, and what exactly is signed. */
import type { IncomingHttpHeaders } from "node:http";

/** What a request's headers say of its signature; it is good when one of `signatures` is the HMAC of `prefix` and the body. */
export interface Signed {
  readonly prefix: Buffer;
  readonly signatures: readonly Buffer[];
  /** What a delivery is known by when it comes again; undefined: by what is signed. */
  readonly delivery: string | undefined;
}

export interface SignatureScheme {
  readonly name: string;
  /** In lower case: a request that has it presents a signature. */
  readonly header: string;
  /** A text: why these headers hold no signature that could be good. */
  read(headers: IncomingHttpHeaders, now: number, toleranceMs: number): Signed | string;
  /** The bytes of a secret; undefined: it cannot be one. */
  key(secret: string): Buffer | undefined;
}

/** An empty secret signs nothing: everybody has it. */
export function utf8Key(secret: string): Buffer | undefined {
  return secret === "" ? undefined : Buffer.from(secret);
}

/** Whether a time in Unix seconds is as near as it has to be, before or behind. */
export function timeProblem(seconds: string, now: number, toleranceMs: number): string | undefined {
  if (!/^\d{1,12}$/.test(seconds)) return "a signature whose time is malformed";
  const off = now - Number(seconds) * 1000;
  if (Math.abs(off) <= toleranceMs) return undefined;
  return off > 0 ? "a signature that is too old" : "a signature of a time to come";
}
