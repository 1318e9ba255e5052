/** Proxies in front of the designer: whose X-Forwarded-For is believed. */
import { BlockList, isIP } from "node:net";

export interface Proxies {
  /** Returns the address of the browser. `from`: the address of the connection; `forwarded`: the header's value. */
  clientOf(from: string, forwarded: string | undefined): string;
}

export function readProxies(text: string | undefined, problems: string[]): Proxies | undefined {
  if (text === undefined) return undefined;
  const trusted = new BlockList();
  for (const entry of text.split(",").map((one) => one.trim())) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    if (family === 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)))
      problems.push(`DESIGNER_TRUST_PROXY: '${entry}' is neither an address nor a range, such as 10.0.0.0/8`);
    else trusted.addSubnet(address, Number(bits ?? most), family === 6 ? "ipv6" : "ipv4");
  }
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  };
  return {
    clientOf(from, forwarded) {
      let client = plain(from);
      // Each proxy appends the address that it was called from: the last one that is not a proxy's is the browser's.
      for (const next of (forwarded ?? "").split(",").reverse()) {
        if (!isTrusted(client) || isIP(plain(next)) === 0) break;
        client = plain(next);
      }
      return client;
    },
  };
}

/** An IPv4 address may come as an IPv6 one. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, "");
}
