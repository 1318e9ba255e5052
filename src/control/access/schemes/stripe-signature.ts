/**
 * Stripe ("Verify webhook signatures manually"): `Stripe-Signature: t=<seconds>,v1=<hex>,v1=<hex>`; signed is `t.body`.
 */
import { type SignatureScheme, timeProblem, utf8Key } from "./signature-scheme.ts";

/**
 * Each attempt is signed anew, with its own time; what is signed identifies a delivery. The secret is its whole text,
 * `whsec_` included.
 */
export const stripe: SignatureScheme = {
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
