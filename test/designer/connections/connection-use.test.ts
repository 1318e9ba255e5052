/** How endpoints name connections, and which flows may use one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionIn, mayUse } from "../../../designer/web/src/connections/connection-use.ts";

test("a connection is named by an option or by the address of jdbc; what messages name is not known", () => {
  const option = { name: "dataSource", kind: "text" };
  const address = { name: "uri", kind: "endpoint" };
  const cases = [
    [option, "#shop", "shop"],
    [option, "#bean:shop", "shop"],
    [option, "shop", "shop"],
    [option, "", undefined],
    [option, "#{{db}}", undefined],
    [{ name: "connection", kind: "text" }, "#files", "files"],
    [{ name: "client", kind: "text" }, "#broker", "broker"],
    [{ name: "brokers", kind: "text" }, "#cluster", "cluster"],
    [{ name: "brokers", kind: "text" }, "one.example.org:9092", undefined],
    [{ name: "query", kind: "text" }, "#shop", undefined],
    [address, "jdbc:shop?useHeadersAsParameters=true", "shop"],
    [address, "spring-jdbc:shop", "shop"],
    [address, "jdbc:", undefined],
    [address, "sql:select 1", undefined],
  ] as const;
  for (const [field, text, name] of cases) assert.equal(connectionIn(field, text), name, text);
});

test("flows may use the connections of their group, or those whose patterns they match", () => {
  const own = { name: "team-a.db", flows: null };
  assert.deepEqual(
    ["team-a.x", "team-b.x", "x"].map((id) => mayUse(id, own)),
    [true, false, false],
  );
  const some = { name: "db", flows: ["team-a.*", "orders"] };
  assert.deepEqual(
    ["team-a.x", "team-ax", "orders", "x"].map((id) => mayUse(id, some)),
    [true, false, true, false],
  );
  assert.equal(mayUse("any", { name: "db", flows: ["*"] }), true);
});
