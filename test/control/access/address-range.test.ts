/** Ranges of addresses in all notations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isInRange, plainAddress, readAddressRange } from "../../../src/shared/address-range.ts";

const inside: (readonly [range: string, address: string, expected: boolean])[] = [
  ["10.0.0.0/8", "10.255.255.255", true],
  ["10.0.0.0/8", "11.0.0.0", false],
  ["10.1.2.3/8", "10.9.9.9", true],
  ["10.1.2.3", "10.1.2.3", true],
  ["10.1.2.3", "10.1.2.4", false],
  ["0.0.0.0/0", "203.0.113.1", true],
  ["0.0.0.0/0", "::1", false],
  ["::/0", "10.0.0.1", false],
  ["2001:db8::/33", "2001:db8:7fff::1", true],
  ["2001:db8::/33", "2001:db8:8000::1", false],
  ["10.0.0.0/8", "::ffff:10.0.0.1", true],
  ["::ffff:10.0.0.0/104", "10.0.0.1", true],
  ["::ffff:10.0.0.0/104", "11.0.0.1", false],
  ["fe80::/10", "fe80::1%eth0", false],
  ["10.0.0.0/8", "", false],
  ["10.0.0.0/8", "10.0.0", false],
  ["10.0.0.0/8", "0x0a000001", false],
];
for (const [range, address, expected] of inside) {
  test(`${address || "nothing"} is ${expected ? "" : "not "}in ${range}`, () => {
    const read = readAddressRange(range);
    assert(read);
    assert.equal(isInRange(read, address), expected);
  });
}

test("malformed ranges are refused", () => {
  const bad =
    "|10.0.0/8|10.0.0.0/33|10.0.0.0/-1|10.0.0.0/|10.0.0.0/8/8|::/129|::ffff:10.0.0.0/95|012.0.0.1|10.0.0.0/8 |*|a.example";
  for (const text of bad.split("|")) assert.equal(readAddressRange(text), undefined, text);
});

test("an address has one canonical form", () => {
  assert.equal(plainAddress("::ffff:10.0.0.1"), "10.0.0.1");
  assert.equal(plainAddress("2001:DB8:0::1"), "2001:db8::1");
  assert.equal(plainAddress("localhost"), undefined);
});
