/** The address of a caller: behind trusted proxies the hop that they report, and never one that a caller made up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clientAddress, noProxies, parseTrustProxy } from "../../../src/control/access/client-address.ts";

const { proxies } = parseTrustProxy("10.0.0.0/8, fd00::/8 192.168.7.9");

/** Peer, X-Forwarded-For -> address. */
const cases: readonly (readonly [peer: string | undefined, forwarded: string | undefined, address: string])[] = [
  ["203.0.113.9", undefined, "203.0.113.9"],
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["10.1.2.3", undefined, "10.1.2.3"],
  ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "::FFFF:c633:6401", "198.51.100.1"],
  // Hops to the left of the first untrusted one can be forged.
  ["10.1.2.3", "127.0.0.1, 198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "127.0.0.1, 198.51.100.1, 10.9.9.9, 192.168.7.9", "198.51.100.1"],
  ["10.1.2.3", "nonsense, 198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "10.4.4.4, 10.5.5.5", "10.4.4.4"],
  // A malformed hop yields the peer.
  ["10.1.2.3", "198.51.100.1, nonsense", "10.1.2.3"],
  ["10.1.2.3", "198.51.100.1, nonsense, 10.9.9.9", "10.1.2.3"],
  ["10.1.2.3", "", "10.1.2.3"],
  ["10.1.2.3", "unknown", "10.1.2.3"],
  ["10.1.2.3", "198.51.100.1,", "10.1.2.3"],
  ["10.1.2.3", "0x7f.1", "10.1.2.3"],
  ["10.1.2.3", "198.51.100.01", "10.1.2.3"],
  ["10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
  ["fd00::1", "[2001:DB8::1]:4711", "2001:db8::1"],
  ["fd00::1", "2001:db8:0:0:0:0:0:1", "2001:db8::1"],
  ["192.168.7.9", "198.51.100.1", "198.51.100.1"],
  ["192.168.7.8", "198.51.100.1", "192.168.7.8"],
  ["fe80::1%eth0", undefined, "fe80::1"],
  [undefined, "198.51.100.1", ""],
];

for (const [peer, forwarded, address] of cases) {
  test(`from ${peer} with X-Forwarded-For ${JSON.stringify(forwarded)}: ${address || "none"}`, () => {
    assert.equal(clientAddress(peer, forwarded, proxies), address);
  });
}

test("without TRUST_PROXY the peer's address is the caller's", () => {
  assert.equal(clientAddress("10.1.2.3", "198.51.100.1", noProxies), "10.1.2.3");
  assert.equal(clientAddress("10.1.2.3", "198.51.100.1", parseTrustProxy("").proxies), "10.1.2.3");
});

test("entries that are neither addresses nor ranges are reported to the operator", () => {
  const { problems } = parseTrustProxy("10.0.0.0/33, proxy.example.org, 10.0.0.0/8/8, ::1/129, 1.2.3");
  assert.equal(problems.length, 5);
  for (const problem of problems) assert.match(problem, /^'[^']+' is no address and no range/);
});
