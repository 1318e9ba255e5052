/**
 * Standard Webhooks 1.0.0, symmetric: `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64> v1,<base64>`.
 */
import { type SignatureScheme, timeProblem, utf8Key } from "./signature-scheme.ts";

const prefix = "whsec_";

/**
 * `id.timestamp.body` is signed. An id with a full stop is refused, as the specification asks ("not be allowed to
 * include any `.`"): the borders could be moved. A sender's second attempt has the same id and another timestamp
 * ("every time an attempt is retried the timestamp of the attempt is updated"), so both together identify a delivery.
 */
export const standardWebhooks: SignatureScheme = {
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
    if (!secret.startsWith(prefix)) return utf8Key(secret);
    const encoded = secret.slice(prefix.length);
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
    const bytes = Buffer.from(encoded, "base64");
    return bytes.length === 0 ? undefined : bytes;
  },
};
