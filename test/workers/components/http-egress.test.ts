/** What flows may call: addresses in every spelling, each answer of DNS, the peer itself, and each hop of a redirect. */
import assert from "node:assert/strict";
import type { LookupAddress } from "node:dns";
import { test } from "node:test";
import { type Egress, egressProblem, parseEgressAllow } from "../../../src/shared/egress.ts";
import { HttpClient } from "../../../src/workers/components/http/client.ts";
import type { FlowException } from "../../../src/workers/engine/exception.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { callTo } from "./http-calls.ts";

function allowing(text: string): Egress {
  const { rules, problems } = parseEgressAllow(text);
  assert.deepEqual(problems, []);
  return { rules };
}

const nothing = allowing("");

const publicAddresses = [
  "8.8.8.8",
  "172.32.0.1",
  "100.128.0.1",
  "192.0.1.1",
  "223.255.255.255",
  "2606:4700::1",
  "2a00::1",
];
const otherAddresses = (
  "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 " +
  "192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:8.8.8.8 " +
  "::ffff:127.0.0.1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 " +
  "ff02::1 fe80::1%eth0 nonsense"
).split(" ");

test("public addresses may be called, and no other kind", () => {
  for (const address of publicAddresses) assert.equal(egressProblem(nothing, address, 80, address), undefined, address);
  for (const address of otherAddresses)
    assert.notEqual(egressProblem(nothing, "h.example", 80, address), undefined, address);
});

const rules: readonly (readonly [allow: string, host: string, port: number, address: string, allowed: boolean])[] = [
  ["10.0.0.0/8", "h", 80, "10.255.0.1", true],
  ["10.0.0.0/8", "h", 80, "11.0.0.1", true],
  ["10.0.0.0/8", "h", 80, "192.168.0.1", false],
  ["10.0.0.0/8:443", "h", 80, "10.0.0.1", false],
  ["10.0.0.0/8:443", "h", 443, "10.0.0.1", true],
  ["erp.local", "erp.local", 80, "10.0.0.1", true],
  ["erp.local", "ERP.local", 80, "10.0.0.1", true],
  ["erp.local", "x.erp.local", 80, "10.0.0.1", false],
  ["*.erp.local", "x.erp.local", 80, "10.0.0.1", true],
  ["*.erp.local", "erp.local", 80, "10.0.0.1", false],
  ["*.erp.local", "evilerp.local", 80, "10.0.0.1", false],
  ["erp.local:8080", "erp.local", 80, "10.0.0.1", false],
  ["::1", "h", 80, "::1", true],
  ["[fd00::/8]:80", "h", 80, "fd12::1", true],
  ["127.0.0.1", "h", 80, "::ffff:127.0.0.1", true],
  ["64:ff9b::/96", "h", 80, "64:ff9b::808:808", true],
  ["64:ff9b::/96", "h", 80, "64:ff9b::a00:1", false],
  ["64:ff9b::/96,10.0.0.0/8", "h", 80, "64:ff9b::a00:1", true],
  ["0.0.0.0/0", "h", 80, "169.254.169.254", true],
  ["h,*.example.org", "h", 80, "169.254.169.254", false],
  ["h,*.example.org", "a.example.org", 80, "fe80::1", false],
  ["h:80", "h", 80, "::ffff:169.254.169.254", false],
  ["169.254.0.0/16", "h", 80, "169.254.169.254", true],
  ["http/erp.local", "erp.local", 80, "10.0.0.1", true],
  ["https/10.0.0.0/8", "h", 80, "10.0.0.1", true],
  ["lines/erp.local:80", "erp.local", 80, "10.0.0.1", false],
];

test("what EGRESS_ALLOW names may be called besides", () => {
  for (const [allow, host, port, address, allowed] of rules) {
    assert.equal(
      egressProblem(allowing(allow), host, port, address) === undefined,
      allowed,
      `${allow} ${host}:${port} ${address}`,
    );
  }
});

test("where the runtime itself listens is called only under a rule with the port, also at a public address", () => {
  const own = { port: 8080, addresses: ["127.0.0.1", "8.8.8.8", "::1"] };
  for (const [allow, address, port, allowed] of [
    ["127.0.0.1", "127.0.0.1", 8080, false],
    ["127.0.0.1", "::ffff:127.0.0.1", 8080, false],
    ["127.0.0.1", "127.0.0.1", 8081, true],
    ["127.0.0.1:8080", "127.0.0.1", 8080, true],
    ["", "8.8.8.8", 8080, false],
    ["", "8.8.8.8", 80, true],
    ["[::1]:8080", "0:0:0:0:0:0:0:1", 8080, true],
  ] as const) {
    const problem = egressProblem({ ...allowing(allow), own }, address, port, address);
    assert.equal(problem === undefined, allowed, `${allow} ${address}:${port} ${problem}`);
  }
});

test("entries that are no rules are told", () => {
  for (const entry of [
    "*",
    "http://x",
    "127.1",
    "10.0.0.0/33",
    "host:70000",
    "host:0",
    "0x7f000001",
    "a..b",
    "-a",
    "lines/",
    "lines/erp.local",
    "lines/10.0.0.0/8",
    "lines/lines/erp.local:80",
    "[::1",
  ]) {
    assert.equal(parseEgressAllow(entry).problems.length, 1, entry);
  }
  assert.deepEqual(parseEgressAllow(" , ").problems, []);
});

test("an address is the same in every spelling that a URL may have", async () => {
  for (const host of [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.01",
    "①②⑦.0.0.1",
    "127.0.0.1.",
    "[::1]",
    "[0:0::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "169.254.169.254",
    "0",
    "localhost",
  ]) {
    const { error } = await callTo(`http://${host}:9/latest/meta-data`, { egress: nothing });
    assert.equal((error as FlowException).type, "EgressDeniedException", `${host}: ${error}`);
    assert.match((error as FlowException).message, /EGRESS_ALLOW=/);
  }
});

const request = { method: "GET", headers: [], body: undefined } as const;

function delivery(signal = new AbortController().signal) {
  const times = { connectMs: 60_000, leaseMs: 60_000, silenceMs: 60_000 };
  return {
    ...times,
    connections: 10,
    connectionsPerOrigin: 10,
    moreTime: { connect: "", silence: "" },
    most: { bytes: 1000, limit: "messageBodyBytes" } as const,
    ignoreBody: false,
    close: false,
    signal,
  };
}

test("every answer of DNS must be allowed, and the checked one is called, whatever the name means by then", async (t) => {
  const server = await startHttpServer(t);
  const url = new URL(`http://rebind.example:${server.port}/`);
  const asked: string[] = [];
  const answering =
    (...addresses: string[]) =>
    async (host: string): Promise<LookupAddress[]> => {
      asked.push(host);
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    };
  for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::1"]]) {
    const client = new HttpClient(nothing, answering(...addresses));
    await assert.rejects(client.send({ ...request, url }, delivery()), { type: "EgressDeniedException" });
  }
  asked.length = 0;
  const client = new HttpClient(allowing("rebind.example"), answering("127.0.0.1"));
  assert.equal((await client.send({ ...request, url }, delivery())).status, 200);
  assert.deepEqual(asked, ["rebind.example"]);
  await client.close();
  assert.equal(server.heard.length, 1);
});

test("a peer that is not the one that was checked is left before anything is sent", async (t) => {
  const server = await startHttpServer(t);
  let reads = 0;
  const changing: LookupAddress = {
    family: 4,
    get address() {
      reads += 1;
      return reads === 1 ? "8.8.8.8" : "127.0.0.1";
    },
  };
  const client = new HttpClient(nothing, async () => [changing]);
  const url = new URL(`http://changing.example:${server.port}/`);
  await assert.rejects(client.send({ ...request, url }, delivery()), { type: "EgressDeniedException" });
  assert.ok(reads > 1);
  assert.equal(server.heard.length, 0);
});

test("a redirect leads only where the flow may call", async (t) => {
  const inside = await startHttpServer(t);
  for (const location of [
    inside.url,
    `http://localhost:${inside.port}/`,
    `//127.1:${inside.port}`,
    "file:///etc/passwd",
    "gopher://x/",
  ]) {
    const server = await startHttpServer(t, (_, response) => response.writeHead(302, { Location: location }).end());
    const { error } = await callTo(`${server.url}?followRedirects=true`, { egress: allowing(server.host) });
    assert.equal((error as FlowException).type, "EgressDeniedException", `${location}: ${error}`);
  }
  assert.equal(inside.heard.length, 0);
});
