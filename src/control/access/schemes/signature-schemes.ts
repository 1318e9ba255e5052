/** The signature schemes that policies may name. */
import { type SignatureScheme, utf8Key } from "./signature-scheme.ts";
import { standardWebhooks } from "./standard-webhooks.ts";
import { stripe } from "./stripe-signature.ts";

/** Schemes without further settings. */
export const namedSchemes: ReadonlyMap<string, SignatureScheme> = new Map(
  [standardWebhooks, bodySignature("github", "x-hub-signature-256", "sha256=", "hex", "x-github-delivery"), stripe].map(
    (scheme) => [scheme.name, scheme],
  ),
);

/**
 * A scheme that signs the body alone. GitHub ("Validating webhook deliveries"): `X-Hub-Signature-256: sha256=<hex>`.
 * The delivery's id is not signed, so it separates repeats by mistake from new deliveries and stops nobody who has
 * recorded one.
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
