/**
 * Decides which addresses flows may call. Over HTTP these are all public ones, and others that EGRESS_ALLOW names. By
 * any other scheme they are only those that a rule names with a port. Addresses are judged as bytes, in whichever
 * notation, and callers check each answer of DNS and the peer of each connection.
 */
import ipaddr from "ipaddr.js";

/** One entry of EGRESS_ALLOW. */
export type EgressRule =
  | {
      readonly kind: "host";
      /** The host in lower case. */
      readonly host: string;
      /** true: the rule is for names below the host, not for the host itself (`*.example.org`). */
      readonly below: boolean;
      /** Absent: any port, over HTTP only. */
      readonly port?: number;
      /** The only scheme of the rule, where `http` includes https; absent: all. */
      readonly scheme?: string;
    }
  | {
      readonly kind: "net";
      readonly address: string;
      readonly bits: number;
      readonly port?: number;
      readonly scheme?: string;
    };

export interface Egress {
  readonly rules: readonly EgressRule[];
  /** true: public addresses need a rule, too, as in tests of flows. */
  readonly closed?: boolean | undefined;
  /** The runtime's own port and addresses: callable only under a rule that names the port. */
  readonly own?: { readonly port: number; readonly addresses: readonly string[] };
}

const hostGrammar = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Reads entries separated by commas or white space. `problems` are messages for the operator. */
export function parseEgressAllow(text: string): {
  readonly rules: readonly EgressRule[];
  readonly problems: readonly string[];
} {
  const rules: EgressRule[] = [];
  const problems: string[] = [];
  for (const entry of text.split(/[\s,]+/)) {
    if (entry === "") continue;
    const rule = parseRule(entry);
    if (typeof rule === "string") problems.push(`'${entry}' ${rule}`);
    else rules.push(rule);
  }
  return { rules, problems };
}

function parseRule(entry: string): EgressRule | string {
  const [, scheme, target] = /^([a-z][a-z0-9+.-]*)\/(?!\/)(.*)$/i.exec(entry) ?? [];
  if (scheme === undefined || target === undefined) return parseTarget(entry);
  const rule = parseTarget(target);
  if (typeof rule === "string") return rule;
  const only = egressScheme(scheme.toLowerCase());
  if (only !== httpScheme && rule.port === undefined) return "needs a port: only calls over HTTP have one of their own";
  return { ...rule, scheme: only };
}

function parseTarget(entry: string): EgressRule | string {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^[\]]*?))(?::(\d{1,5}))?$/.exec(withoutPort(entry)) ?? [];
  const text = (bracketed ?? plain ?? "").toLowerCase();
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return "has no possible port";
  const onPort = port === undefined ? {} : { port };
  const [address = "", bits] = text.split("/");
  if (ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)) {
    const most = address.includes(":") ? 128 : 32;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
    return length > most ? `needs a prefix of 0 to ${most} bits` : { kind: "net", address, bits: length, ...onPort };
  }
  const below = text.startsWith("*.");
  const host = (below ? text.slice(2) : text).replace(/\.$/, "");
  if (hostGrammar.test(host)) return { kind: "host", host, below, ...onPort };
  return "is no rule: give a host name, *.example.org, an address, a range such as 10.0.0.0/8, each with or without ':port', or behind a scheme as in kafka/broker:9092";
}

/** Splits off a port. An IPv6 address without brackets has no port, since its colons belong to the address. */
function withoutPort(entry: string): string {
  return /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:./]*$/i.test(entry) ? `[${entry}]` : entry;
}

/** The scheme of rules for calls over HTTP, encrypted or not. */
export const httpScheme = "http";

/** Returns the scheme of rules for an endpoint's scheme. */
export function egressScheme(scheme: string): string {
  return scheme === "https" ? httpScheme : scheme;
}

/**
 * Returns why an address must not be called as `host:port` by this scheme (from `egressScheme`); undefined when it may.
 */
export function egressProblem(
  egress: Egress,
  host: string,
  port: number,
  address: string,
  scheme: string = httpScheme,
): string | undefined {
  if (!ipaddr.isValid(address) || address.includes("%")) return `${where(host, port, address)} is no address to call`;
  const parsed = ipaddr.parse(address);
  const named = rulesFor(egress, scheme).filter((rule) => isNamedBy(rule, host, port, parsed));
  if (isOwn(egress, port, parsed)) {
    if (named.some((rule) => rule.port !== undefined)) return undefined;
    return `${where(host, port, address)} is where the runtime itself listens: ${advice(host, port, scheme)}`;
  }
  if (named.length === 0) {
    if (egress.closed === true) return closedTo(host, port);
    if (isLinkLocal(parsed) && host !== address)
      return `${where(host, port, address)} is a link-local address, which no rule for a name allows: ${advice(address, port, scheme)}`;
    if (scheme !== httpScheme) return unnamed(host, port, address, scheme);
    if (isPublic(parsed)) return undefined;
    return `${where(host, port, address)} is ${kindOf(parsed)} address, which flows may not call: ${advice(host, undefined, scheme)}`;
  }
  // Judges the address behind a translator on its own: a rule for 64:ff9b::/96 does not open 10.0.0.0/8.
  const behind = translated(parsed);
  return behind === undefined ? undefined : egressProblem(egress, host, port, behind, scheme);
}

/** Returns why a URL must not be called, judged by its text alone: its scheme, and an address in place of a name. */
export function urlProblem(egress: Egress, url: URL): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return `'${url.protocol}' is not called: flows call http: and https: only`;
  }
  return hostProblem(egress, hostOf(url), portOf(url));
}

/** Returns why a port must not be used that the server at an address announces, such as one for data: it is the runtime's own. */
export function announcedProblem(egress: Egress, port: number, address: string): string | undefined {
  if (!isOwn(egress, port, ipaddr.process(address))) return undefined;
  return `the port ${port} that the server at ${address} announces belongs to the runtime itself`;
}

/**
 * Returns why a server must not be called, judged by its name or address alone, so that DNS is not asked for a name
 * that no rule allows. `scheme`: from `egressScheme`.
 */
export function hostProblem(
  egress: Egress,
  host: string,
  port: number,
  scheme: string = httpScheme,
): string | undefined {
  if (ipaddr.isValid(host)) return egressProblem(egress, host, port, host, scheme);
  const isOpen = egress.closed !== true && scheme === httpScheme;
  const isPossible = (rule: EgressRule): boolean => rule.kind === "net" || isNamedBy(rule, host, port, unknownAddress);
  if (isOpen || rulesFor(egress, scheme).some(isPossible)) return undefined;
  return egress.closed === true ? closedTo(host, port) : unnamed(host, port, host, scheme);
}

/** Returns the rules for a scheme. A rule without a port is for HTTP, whose ports are well known. */
function rulesFor({ rules }: Egress, scheme: string): readonly EgressRule[] {
  return rules.filter(
    (rule) => (rule.scheme ?? scheme) === scheme && (scheme === httpScheme || rule.port !== undefined),
  );
}

/** Returns the host without brackets and without a dot at its end. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const unknownAddress = ipaddr.parse("0.0.0.0");

const globalUnicast = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

function isNamedBy(rule: EgressRule, host: string, port: number, address: Address): boolean {
  if (rule.port !== undefined && rule.port !== port) return false;
  if (rule.kind === "host") {
    // Clouds keep credentials at such an address; whoever answers for a name must not lead there.
    if (isLinkLocal(address)) return false;
    const name = host.toLowerCase();
    return rule.below ? name.endsWith(`.${rule.host}`) : name === rule.host;
  }
  const net = ipaddr.parse(rule.address);
  return [address, unmapped(address)].some((one) => one.kind() === net.kind() && one.match(net as never, rule.bits));
}

function isOwn({ own }: Egress, port: number, address: Address): boolean {
  if (own === undefined || own.port !== port) return false;
  const bytes = unmapped(address).toNormalizedString();
  return own.addresses.some((one) => ipaddr.isValid(one) && ipaddr.process(one).toNormalizedString() === bytes);
}

function isLinkLocal(address: Address): boolean {
  return unmapped(address).range() === "linkLocal";
}

/** Converts `::ffff:10.0.0.1` to 10.0.0.1. */
function unmapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Returns the IPv4 address that a NAT64 one stands for (RFC 6052: its last four bytes); undefined for any other. */
function translated(address: Address): string | undefined {
  return address.range() === "rfc6052" ? address.toByteArray().slice(-4).join(".") : undefined;
}

const kinds: Readonly<Record<string, string>> = {
  private: "a private",
  uniqueLocal: "a private",
  loopback: "a loopback",
  linkLocal: "a link-local",
  carrierGradeNat: "a carrier-grade NAT",
  multicast: "a multicast",
  broadcast: "a broadcast",
  unspecified: "an unspecified",
  ipv4Mapped: "an IPv4-mapped",
  rfc6052: "a NAT64",
};

function kindOf(address: Address): string {
  return kinds[address.range()] ?? "a reserved";
}

function closedTo(host: string, port: number): string {
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return `${target} is not called where flows are tested: mock what calls it, or give --egress-allow ${target}`;
}

function where(host: string, port: number, address: string): string {
  const shown = host === address ? (host.includes(":") ? `[${host}]` : host) : host;
  return host === address ? `${shown}:${port}` : `${shown}:${port} is ${address} and that`;
}

function unnamed(host: string, port: number, address: string, scheme: string): string {
  return `${where(host, port, address)} is not named: calls other than HTTP's reach only what is named with its port: ${advice(host, port, scheme)}`;
}

function advice(host: string, port: number | undefined, scheme: string): string {
  const name = host.includes(":") && port !== undefined ? `[${host}]` : host;
  const only = scheme === httpScheme || scheme === "" ? "" : `${scheme}/`;
  return `the operator may allow it with EGRESS_ALLOW=${only}${name}${port === undefined ? "" : `:${port}`}`;
}
