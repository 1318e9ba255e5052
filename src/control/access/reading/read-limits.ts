/** Reads `rateLimit` and `concurrency`. One that cannot be read is not left out, which would mean no limit at all. */
import { expect, type Fields, readOwn, whole } from "../../../shared/document-fields.ts";
import type { Policy, RateLimit } from "../policy.ts";
import { policyFields, type Reading } from "./reading.ts";

export type PolicyLimits = Pick<Policy, "perPrincipal" | "perAddress" | "maxInflight">;

const effect = "the policy lets only the deploy token in";
const mostRps = 1_000_000;
const mostInflight = 100_000;

export const noLimits: PolicyLimits = { perPrincipal: undefined, perAddress: undefined, maxInflight: undefined };

/** `burst`: the calls that may come at once; if left out, those of one second. */
const rate = policyFields(
  {
    rps: expect<number>(
      `calls a second, above 0 and up to ${mostRps}, are`,
      (value) => typeof value === "number" && value > 0 && value <= mostRps,
    ),
    burst: whole(1, mostRps).nullish(),
  },
  { expected: () => '{"rps": 100, "burst": 200} is expected' },
).transform(({ rps, burst }): RateLimit => ({ rps, burst: burst ?? Math.ceil(rps) }));

const rateLimit = policyFields({ perPrincipal: rate.optional(), perAddress: rate.optional() });
const concurrency = policyFields({ maxInflight: whole(1, mostInflight).optional() });

/** undefined: some of it is not understood. */
export function readLimits(document: Fields, reading: Reading): PolicyLimits | undefined {
  const rates = reading.read(rateLimit, readOwn(document, "rateLimit") ?? {}, ["rateLimit"], effect);
  const calls = reading.read(concurrency, readOwn(document, "concurrency") ?? {}, ["concurrency"], effect);
  if (rates === undefined || calls === undefined) return undefined;
  return { perPrincipal: rates.perPrincipal, perAddress: rates.perAddress, maxInflight: calls.maxInflight };
}
