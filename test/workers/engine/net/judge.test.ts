/** What the servers of named connections open in the gate. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConnectionModel } from "../../../../src/shared/connection.ts";
import { parseEgressAllow } from "../../../../src/shared/egress.ts";
import { judgeOf } from "../../../../src/workers/engine/net/judge.ts";

const shop: ConnectionModel = {
  ...{ name: "shop", kind: "postgres", revision: 1, options: {}, maxConnections: 1 },
  servers: [
    { host: "db.example.org", port: 5432 },
    { host: "10.0.0.7", port: 5433 },
  ],
  alsoServers: ["*.db.example.org:5432", "192.168.7.0/24:5432"],
};

function judge(models: readonly ConnectionModel[], more: { readonly closed?: boolean } = {}) {
  return judgeOf({ ...parseEgressAllow(""), ...more }, new Set(["sql"]), () => models);
}

test("a document opens its servers and those that they announce, each with its port, and nothing else", () => {
  const { host, address } = judge([shop]);
  assert.equal(host(undefined, "db.example.org", 5432), undefined);
  assert.equal(address(undefined, "db.example.org", 5432, "10.1.2.3"), undefined);
  assert.equal(address(undefined, "10.0.0.7", 5433, "10.0.0.7"), undefined);
  assert.equal(address(undefined, "a.db.example.org", 5432, "172.16.0.1"), undefined);
  assert.equal(address(undefined, "192.168.7.9", 5432, "192.168.7.9"), undefined);
  for (const [name, port, at] of [
    ["db.example.org", 5433, "10.1.2.3"],
    ["10.0.0.7", 5432, "10.0.0.7"],
    ["192.168.8.9", 5432, "192.168.8.9"],
    ["169.254.169.254", 80, "169.254.169.254"],
  ] as const)
    assert.match(
      String(address(undefined, name, port, at)),
      /an address that the server of the connection 'shop' announces is named in its alsoServers/,
    );
  for (const at of ["169.254.169.254", "fe80::a9fe:a9fe"])
    assert.match(
      String(address(undefined, "db.example.org", 5432, at)),
      /^db\.example\.org:5432 is \S+ and that is a link-local address, which no rule for a name allows: .*EGRESS_ALLOW=sql\/\[?[0-9a-f.:]+\]?:5432/,
    );
  assert.match(String(judge([]).host(undefined, "db.example.org", 5432)), /EGRESS_ALLOW=sql\/db\.example\.org:5432$/);
});

test("calls over HTTP do not profit from documents, and where flows are tested nobody does", () => {
  assert.match(String(judge([shop]).address("http", "10.0.0.7", 5433, "10.0.0.7")), /is a private address/);
  assert.match(
    String(judge([shop], { closed: true }).host(undefined, "db.example.org", 5432)),
    /is not called where flows are tested/,
  );
});
