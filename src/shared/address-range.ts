/** Reads ranges of IP addresses: `10.0.0.0/8`, `2001:db8::/32`, or one address. */
import ipaddr from "ipaddr.js";

/** The addresses that begin with these bits. */
export interface AddressRange {
  readonly address: string;
  readonly bits: number;
}

/**
 * Reads a range; undefined for a text that is not one. IPv4 must have four decimal parts and no zone. IPv4 mapped into
 * IPv6 is read as the IPv4 range (RFC 4291 2.5.5.2).
 */
export function readAddressRange(text: string): AddressRange | undefined {
  const [address = "", length, ...more] = text.split("/");
  const parsed = parse(address);
  if (parsed === undefined || more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const most = parsed.kind() === "ipv4" ? 32 : 128;
  const mapped = address.includes(":") && most === 32;
  const bits = length === undefined ? most : Number(length) - (mapped ? 96 : 0);
  return bits < 0 || bits > most ? undefined : { address: parsed.toString(), bits };
}

/** Whether an address is in a range; false for a text that is not an address. */
export function isInRange({ address, bits }: AddressRange, candidate: string): boolean {
  const parsed = parse(candidate);
  const range = ipaddr.parse(address);
  return parsed !== undefined && parsed.kind() === range.kind() && parsed.match(range as never, bits);
}

/** Returns the address in one form, with mapped IPv4 as IPv4; undefined for a text that is not an address. */
export function plainAddress(text: string): string | undefined {
  return parse(text)?.toString();
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const valid = ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes("%"));
  return valid ? ipaddr.process(text) : undefined;
}
