/**
 * The signature schemes that policies may name: how a sender signs a request's bytes with HMAC-SHA256 (RFC 2104), which
 * headers carry it, and exactly what is signed.
 */
import type { IncomingHttpHeaders } from "node:http";

/** A request's signature by its headers; it is valid when one of `signatures` is the HMAC of `prefix` and the body. */
export interface Signed {
  readonly prefix: Buffer;
  readonly signatures: readonly Buffer[];
  /** Identifies a delivery that is repeated; undefined: the signed bytes identify it. */
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

const secretPrefix = "whsec_";

/**
 * Standard Webhooks 1.0.0, symmetric: `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64> v1,<base64>`.
 * `id.timestamp.body` is signed. An id with a full stop is refused, as the specification asks ("not be allowed to
 * include any `.`"): the borders could be moved. A sender's second attempt has the same id and another timestamp
 * ("every time an attempt is retried the timestamp of the attempt is updated"), so both together identify a delivery.
 */
const standardWebhooks: SignatureScheme = {
  name: "standard",
  header: "webhook-signature",
  read(headers, now, toleranceMs) {
    const id = String(headers["webhook-id"] ?? "");
    const timestamp = String(headers["webhook-timestamp"] ?? "");
    if (!/^[\x21-\x2d\x2f-\x7e]{1,256}$/.test(id)) return "a signature whose webhook-id is missing or malformed";
    const problem = timeProblem(timestamp, now, toleranceMs);
    if (problem !== undefined) return problem;
    const signatures = String(headers["webhook-signature"] ?? "")
      .split(" ")
      .map((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1])
      .filter((one) => one !== undefined)
      .map((one) => Buffer.from(one, "base64"));
    if (signatures.length === 0) return "a signature that is malformed";
    const signed = `${id}.${timestamp}`;
    return { prefix: Buffer.from(`${signed}.`), signatures, delivery: `attempt ${signed}` };
  },
  /** A secret is `whsec_` and base64; of others the bytes of their text are the key. */
  key(secret) {
    if (!secret.startsWith(secretPrefix)) return utf8Key(secret);
    const encoded = secret.slice(secretPrefix.length);
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
    const bytes = Buffer.from(encoded, "base64");
    return bytes.length === 0 ? undefined : bytes;
  },
};

/**
 * A scheme that signs the body alone. GitHub ("Validating webhook deliveries"): `X-Hub-Signature-256: sha256=<hex>`.
 * The delivery's id is not signed, so it separates accidental repeats from new deliveries and does not stop an attacker
 * who has recorded one.
 */
export function bodySignature(
  name: string,
  header: string,
  prefix: string,
  encoding: "hex" | "base64",
  idHeader?: string,
): SignatureScheme {
  const digits = encoding === "hex" ? /^[0-9a-f]{64}$/i : /^[A-Za-z0-9+/]{43}=$/;
  return {
    name,
    header,
    read(headers) {
      const value = String(headers[header] ?? "");
      const signature = value.slice(prefix.length);
      if (!value.startsWith(prefix) || !digits.test(signature)) return "a signature that is malformed";
      const delivery = idHeader === undefined ? undefined : headers[idHeader];
      const id = typeof delivery === "string" && delivery !== "" ? `id ${delivery}` : undefined;
      return { prefix: Buffer.alloc(0), signatures: [Buffer.from(signature, encoding)], delivery: id };
    },
    key: utf8Key,
  };
}

/**
 * Stripe ("Verify webhook signatures manually"): `Stripe-Signature: t=<seconds>,v1=<hex>,v1=<hex>`; signed is `t.body`.
 * Each attempt is signed anew, with its own time; what is signed identifies a delivery. The secret is its whole text,
 * `whsec_` included.
 */
const stripe: SignatureScheme = {
  name: "stripe",
  header: "stripe-signature",
  read(headers, now, toleranceMs) {
    const parts = String(headers["stripe-signature"] ?? "").split(",");
    const times = parts.filter((part) => part.startsWith("t="));
    const time = times[0]?.slice(2) ?? "";
    if (times.length !== 1) return "a signature that is malformed";
    const problem = timeProblem(time, now, toleranceMs);
    if (problem !== undefined) return problem;
    const signatures = parts
      .map((part) => /^v1=([0-9a-f]{64})$/i.exec(part)?.[1])
      .filter((one) => one !== undefined)
      .map((one) => Buffer.from(one, "hex"));
    if (signatures.length === 0) return "a signature that is malformed";
    return { prefix: Buffer.from(`${time}.`), signatures, delivery: undefined };
  },
  key: utf8Key,
};

/** Schemes without further settings. */
export const namedSchemes: ReadonlyMap<string, SignatureScheme> = new Map(
  [standardWebhooks, bodySignature("github", "x-hub-signature-256", "sha256=", "hex", "x-github-delivery"), stripe].map(
    (scheme) => [scheme.name, scheme],
  ),
);

/** The UTF-8 bytes of a secret; undefined for the empty one, which anybody could use. */
function utf8Key(secret: string): Buffer | undefined {
  return secret === "" ? undefined : Buffer.from(secret);
}

/** Returns what is wrong with a time in Unix seconds that is too far before or after `now`. */
function timeProblem(seconds: string, now: number, toleranceMs: number): string | undefined {
  if (!/^\d{1,12}$/.test(seconds)) return "a signature whose time is malformed";
  const off = now - Number(seconds) * 1000;
  if (Math.abs(off) <= toleranceMs) return undefined;
  return off > 0 ? "a signature that is too old" : "a signature of a time to come";
}
