/** Ids and texts of flows that are made in the designer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { flowIdProblem } from "../../../designer/shared/ids.ts";
import { freshFlow, renamedTests, renameRoutes, slug } from "../../../designer/web/src/model/index.ts";
import { startTestApp } from "../../support/start-app.ts";

test("an id is made of any name: plain letters, whatever the script, and never a reserved or a taken one", () => {
  const ids: Record<string, string> = {
    "Neue Bestellung für Łódź": "neue-bestellung-fur-lodz",
    "  Straße / 12 ": "strasse-12",
    注文: "flow",
    "🙂": "flow",
    API: "api-flow",
    "..": "flow",
    Con: "con-flow",
    "ﬁle №5": "file-no5",
    ["x".repeat(80)]: "x".repeat(63),
  };
  for (const [name, id] of Object.entries(ids)) {
    assert.equal(slug(name), id);
    assert.equal(flowIdProblem(id), undefined);
  }
  assert.equal(slug("Orders", new Set(["orders", "orders-2"])), "orders-3");
  assert.equal(slug("y".repeat(80), new Set(["y".repeat(63)])), `${"y".repeat(61)}-2`);
});

test("a new flow runs as it is: its webhook answers ok", async (t) => {
  const app = await startTestApp(t);
  const yaml = freshFlow("fresh", "Says ok: to everybody # really");
  assert.equal((await app.put("fresh", yaml)).status, 201);
  assert.equal(await (await app.post("/api/fresh", "x")).text(), "ok");
});

const orders = `# Orders
- rest:
    path: /shop # the service
    get:
      - { path: /orders, routeId: shop-list, to: "direct:store" }
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - to: direct:store # kept there
        - to: { uri: "direct:other" }
        - wireTap: { uri: "direct:store?block=false" }
        - recipientList: { constant: "direct:store" }
- route:
    id: orders-store
    from: { uri: "direct:store", steps: [ { log: "\${body}" } ] }
- route:
    from: { uri: "platform-http:/plain", steps: [ { stop: {} } ] }
`;

test("a copy's routes and direct names are its own, all other lines stay, and what is not renamed is reported", () => {
  const { text, ids, names, kept } = renameRoutes(orders, (name) =>
    name === "orders" ? "copy" : name.replace(/^(?:orders-)?/, "copy-"),
  );
  const expected = orders
    .replace("routeId: shop-list", "routeId: copy-shop-list")
    .replace("id: orders\n", "id: copy\n")
    .replace("id: orders-store", "id: copy-store")
    .replace('to: "direct:store" }\n- route', 'to: "direct:copy-store" }\n- route')
    .replace("direct:store #", "direct:copy-store #")
    .replace("direct:store?block", "direct:copy-store?block")
    .replace('uri: "direct:store", steps', 'uri: "direct:copy-store", steps');
  assert.equal(text, expected);
  assert.deepEqual([...ids.keys()], ["orders", "orders-store", "shop-list"]);
  assert.deepEqual([...names], [["store", "copy-store"]]);
  assert.deepEqual(kept, [
    "a route without an id, whose name the runtime makes",
    "/plain",
    "/shop/orders",
    "direct:store",
  ]);
  const tests = [
    { name: "direct:store", post: { path: "/api/orders?x=1", body: { routeId: "orders" } } },
    { replaceFrom: { orders: "direct:store" }, invoke: { routeId: "orders", endpoint: "direct:other" } },
  ];
  assert.deepEqual(renamedTests(tests, { ids, names }), [
    { name: "direct:store", post: { path: "/api/copy?x=1", body: { routeId: "orders" } } },
    { replaceFrom: { copy: "direct:copy-store" }, invoke: { routeId: "copy", endpoint: "direct:other" } },
  ]);
});

test("the copy is deployed beside its original", async (t) => {
  const app = await startTestApp(t);
  const own = orders
    .replaceAll("/shop", "/one")
    .replaceAll("/plain", "/one-plain")
    .replace(/ +- recipientList.*\n/, "");
  const { text } = renameRoutes(own, (name) => `copy-${name}`);
  const moved = text.replaceAll("/one", "/two").replace("- route:\n    from", "- route:\n    id: copy-plain\n    from");
  for (const [id, yaml] of Object.entries({ orders: own, copy: moved }))
    assert.equal((await app.put(id, yaml.replace(/ +- to: \{ uri: "direct:other" \}\n/, ""))).status, 201);
});
