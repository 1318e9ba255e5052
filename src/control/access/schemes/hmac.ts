/** Signatures over the exact bytes of a body: whose secret made one, and whether it is used for the first time. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Finding, invalid } from "../finding.ts";
import type { HmacPrincipal } from "../principals.ts";
import { invalidity } from "../validity.ts";
import type { ReplayCache } from "./replay-cache.ts";
import type { SecretValues } from "./secret-values.ts";
import type { Signed } from "./signature-scheme.ts";

/**
 * Checks the signature against the body. `take`, called when the caller is let in, uses the delivery up, or finds that
 * it was used before.
 */
export type Signature = (body: Uint8Array) => Finding & { readonly take?: () => Finding };

interface Candidate {
  readonly principal: HmacPrincipal;
  readonly signed: Signed;
  readonly keys: readonly Buffer[];
}

interface HmacParts {
  readonly flowId: string;
  readonly secrets: SecretValues;
  readonly replay: ReplayCache;
}

/**
 * Reads the signature in this header, made by one of these principals. What can be refused without the body is refused
 * at once: a malformed or old signature, or one without a secret to compare it with.
 */
export async function findSignature(
  headers: IncomingHttpHeaders,
  principals: readonly HmacPrincipal[],
  now: number,
  { flowId, secrets, replay }: HmacParts,
): Promise<Finding | Signature> {
  const candidates: Candidate[] = [];
  let reason = "";
  for (const principal of principals) {
    const { name, scheme, secretRefs, toleranceMs, validity } = principal;
    const signed = scheme.read(headers, now, toleranceMs);
    const problem = typeof signed === "string" ? signed : invalidity(validity, now);
    if (typeof signed === "string" || problem !== undefined) {
      reason = `principal '${name}': ${problem}`;
      continue;
    }
    const values = await Promise.all(secretRefs.map((ref) => secrets.value(ref)));
    const keys = values.map((value) => (value === undefined ? undefined : scheme.key(value)));
    const usable = keys.filter((key) => key !== undefined);
    if (usable.length === 0)
      reason = `principal '${name}': none of its secrets is there and usable: put one into SECRETS_DIR/${flowId}/${secretRefs[0]}`;
    else candidates.push({ principal, signed, keys: usable });
  }
  if (candidates.length === 0) return invalid(reason);
  return (body) => {
    const signer = candidates.filter((candidate) => isSignedBy(candidate, body))[0];
    if (signer === undefined) return invalid("a signature that none of the secrets has made");
    const { principal, signed } = signer;
    const { name: id, roles, toleranceMs } = principal;
    const known: Finding = { kind: "known", principal: { id, type: "hmac", roles } };
    return {
      ...known,
      take() {
        const delivery = signed.delivery ?? `bytes ${digest(signed.prefix, body)}`;
        // A time in the future is valid for twice the tolerance, the last instant included.
        const forget = replay.take(flowId, id, delivery, 2 * toleranceMs + 1);
        return forget === undefined
          ? invalid(`principal '${id}': a delivery that has come before`)
          : { ...known, forget };
      },
    };
  };
}

function digest(prefix: Buffer, body: Uint8Array): string {
  return createHash("sha256").update(prefix).update(body).digest("base64");
}

/** Tries every secret and compares every signature: the time does not reveal which one matched. */
function isSignedBy({ signed: { prefix, signatures }, keys }: Candidate, body: Uint8Array): boolean {
  let found = false;
  for (const key of keys) {
    const made = createHmac("sha256", key).update(prefix).update(body).digest();
    for (const signature of signatures) {
      const same = signature.length === made.length && timingSafeEqual(made, signature);
      found = same || found;
    }
  }
  return found;
}
