/** `rateLimit` and `concurrency`. One that cannot be read is not left out: it would be no limit at all. */
import type { Policy, RateLimit } from "../policy.ts";
import { type Fields, isFields, own, place, type Reading } from "./reading.ts";

export type PolicyLimits = Pick<Policy, "perPrincipal" | "perAddress" | "maxInflight">;

const closed = "the policy lets only the deploy token in";
const mostRps = 1_000_000;
const mostInflight = 100_000;

export const noLimits: PolicyLimits = { perPrincipal: undefined, perAddress: undefined, maxInflight: undefined };

/** undefined: something of it is not understood. */
export function readLimits(document: Fields, reading: Reading): PolicyLimits | undefined {
  const rates = section("rateLimit", ["perPrincipal", "perAddress"]);
  const concurrency = section("concurrency", ["maxInflight"]);
  if (rates === undefined || concurrency === undefined) return undefined;
  const perPrincipal = rate("perPrincipal");
  const perAddress = rate("perAddress");
  const inflight = own(concurrency, "maxInflight");
  const maxInflight =
    inflight === undefined
      ? undefined
      : (reading.count(inflight, "/concurrency/maxInflight", 1, mostInflight) ?? false);
  if (perPrincipal === false || perAddress === false || maxInflight === false) return undefined;
  return { perPrincipal, perAddress, maxInflight };

  function section(name: string, known: readonly string[]): Fields | undefined {
    const value = own(document, name);
    if (value === undefined) return {};
    if (!isFields(value)) return reading.bad(`/${name}`, `an object with ${known.join(", ")} is expected: ${closed}`);
    return reading.allKnown(value, `/${name}`, known, closed) ? value : undefined;
  }

  function rate(name: string): RateLimit | undefined | false {
    const value = own(rates ?? {}, name);
    return value === undefined ? undefined : (readRate(value, place("/rateLimit", name), reading) ?? false);
  }
}

/** `burst` is what may come at once; left out, what comes in a second. */
function readRate(value: unknown, pointer: string, reading: Reading): RateLimit | undefined {
  if (!isFields(value)) return reading.bad(pointer, `{"rps": 100, "burst": 200} is expected: ${closed}`);
  const rps = own(value, "rps");
  const known = reading.allKnown(value, pointer, ["rps", "burst"], closed);
  if (typeof rps !== "number" || !(rps > 0 && rps <= mostRps)) {
    return reading.bad(place(pointer, "rps"), `calls a second, above 0 and up to ${mostRps}, are expected: ${closed}`);
  }
  const burst = reading.count(own(value, "burst") ?? Math.ceil(rps), place(pointer, "burst"), 1, mostRps);
  return known && burst !== undefined ? { rps, burst } : undefined;
}
