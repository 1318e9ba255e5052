/** The caller's address behind proxies: `TRUST_PROXY` names the proxies whose `X-Forwarded-For` is trusted. */
import { type AddressRange, isInRange, plainAddress, readAddressRange } from "../../shared/address-range.ts";

export interface TrustedProxies {
  isTrusted(address: string): boolean;
}

export const noProxies: TrustedProxies = { isTrusted: () => false };

/** Reads entries separated by commas or white space; each is an address or a range. `problems` are for the operator. */
export function parseTrustProxy(text: string): {
  readonly proxies: TrustedProxies;
  readonly problems: readonly string[];
} {
  const ranges: AddressRange[] = [];
  const problems: string[] = [];
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== "")) {
    const range = readAddressRange(entry);
    if (range !== undefined) ranges.push(range);
    else problems.push(`'${entry}' is no address and no range: give some such as 10.0.0.0/8, 192.168.7.9 or fd00::/8`);
  }
  return { problems, proxies: { isTrusted: (address) => ranges.some((range) => isInRange(range, address)) } };
}

/**
 * Returns the peer of the connection; behind trusted proxies the right-most hop of `X-Forwarded-For` that is not one of
 * them. The hops to its left can be forged and are ignored. A hop that cannot be read yields the peer: a malformed
 * header gains its sender no other address.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  { isTrusted }: TrustedProxies,
): string {
  // The zone of a link-local address has a meaning on this machine only.
  const nearest = plainAddress(peer?.split("%")[0] ?? "") ?? "";
  if (forwardedFor === undefined || nearest === "" || !isTrusted(nearest)) return nearest;
  let found = nearest;
  for (const hop of forwardedFor.split(",").reverse()) {
    const address = plainAddress(withoutPort(hop.trim()));
    if (address === undefined) return nearest;
    found = address;
    if (!isTrusted(address)) break;
  }
  return found;
}

/** Removes the port that some proxies write: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;
}
