/** The examples of docs/connectors, as they stand there: only the server of a connection is the test's. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import type { DatabaseServer } from "../database-server.ts";
import { databases } from "../databases.ts";
import { connectionTo, putConnection } from "./connection-document.ts";

/** Returns the one block of a page in a language. */
function blockOf(page: string, language: "yaml" | "json" | "sql"): string {
  const text = readFileSync(new URL(`../../../docs/connectors/${page}.md`, import.meta.url), "utf8");
  const written = text.replaceAll(/<!-- (?:kind|options of) .*?<!-- end of [^\n]*/gs, "");
  const blocks = [...written.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))];
  assert.equal(blocks.length, 1, `${page} has ${blocks.length} blocks of ${language}`);
  return blocks[0]?.[1] ?? "";
}

async function deployed(app: TestApp, page: string): Promise<void> {
  const yaml = blockOf(page, "yaml");
  const put = await app.put(/id: ([\w-]+)/.exec(yaml)?.[1] ?? page, yaml);
  assert.ok(put.ok, await put.text());
}

async function answered(app: TestApp, path: string, body: unknown): Promise<string> {
  const answer = await app.post(path, JSON.stringify(body), { "Content-Type": "application/json" });
  return await answer.text();
}

/** The example's connection, with the address and the user of the test's server. */
async function connected(app: TestApp, name: string, page: string, server: DatabaseServer): Promise<void> {
  const written = JSON.parse(blockOf(page, "json")) as Record<string, unknown>;
  const { servers, database, username } = connectionTo(server);
  await putConnection(app, name, { ...written, servers, database, username });
}

const keys = { postgres: "serial primary key", mysql: "int primary key auto_increment" } as const;

type Example = (t: TestContext, server: DatabaseServer) => Promise<void>;

const examples: Readonly<Record<string, Example>> = {
  async sql(t, server) {
    const app = await startTestApp(t, { secrets: { "_connections/DB": server.password } });
    await putConnection(app, "db", connectionTo(server, { default: true, flows: ["*"] }));
    await server.query(
      `create table orders (id ${keys[server.kind]}, customer varchar(40), total int, state varchar(10) not null default 'new')`,
    );
    await server.query("create table invoices (order_id int, total int)");
    await deployed(app, "sql");
    assert.equal(await answered(app, "/api/order-in", { customer: "oscar", total: 12 }), "stored 1");
    const billed = async (): Promise<true | undefined> =>
      (await server.query("select state from orders"))[0]?.[0] === "billed" ? true : undefined;
    await eventually(billed, "the order is billed", 60_000);
    assert.deepEqual(await server.query("select order_id, total from invoices"), [[1, 12]]);
  },
  async jdbc(t, server) {
    const app = await startTestApp(t, { secrets: { "_connections/DB": server.password } });
    await putConnection(app, "orders", connectionTo(server, { flows: ["*"] }));
    await server.query("create table orders (customer varchar(40), total int, placed_in varchar(7))");
    await server.query(
      "insert into orders values ('ada', 10, '2026-11'), ('ada', 20, '2026-11'), ('bob', 5, '2026-10')",
    );
    await deployed(app, "jdbc");
    assert.equal(await answered(app, "/api/report", { month: "2026-11" }), '[{"customer":"ada","total":30}]');
  },
  async "sql-stored"(t, server) {
    if (server.kind !== "postgres") return;
    const app = await startTestApp(t, { secrets: { "_connections/DB": server.password } });
    await putConnection(app, "orders", connectionTo(server, { flows: ["*"] }));
    await server.query(blockOf("sql-stored", "sql"));
    await deployed(app, "sql-stored");
    assert.equal(await answered(app, "/api/discount", { product: 100, pieces: 2 }), "200 with none");
    assert.equal(await answered(app, "/api/discount", { product: 100, pieces: 10 }), "900 with a tenth");
  },
  async postgres(t, server) {
    if (server.kind !== "postgres") return;
    const app = await startTestApp(t, { secrets: { "_connections/ORDERS_DB": server.password } });
    await connected(app, "orders", "postgres", server);
    await server.query("create table documents (id serial primary key, doc jsonb, labels text[])");
    await deployed(app, "postgres");
    assert.equal(await answered(app, "/api/store", { name: "letter", labels: ["a", "b"] }), "1 letter [a, b]");
    assert.deepEqual(await server.query("select doc, labels from documents"), [
      [{ name: "letter", labels: ["a", "b"] }, ["a", "b"]],
    ]);
  },
  async mysql(t, server) {
    if (server.kind !== "mysql") return;
    const app = await startTestApp(t, { secrets: { "_connections/SHOP_DB": server.password } });
    await connected(app, "shop", "mysql", server);
    await server.query(`create table baskets (id ${keys.mysql}, customer varchar(40))`);
    await server.query("create table basket_lines (basket int, article varchar(10), pieces int not null)");
    await deployed(app, "mysql");
    const lines = [
      { article: "a", pieces: 1 },
      { article: "b", pieces: 2 },
    ];
    assert.equal(await answered(app, "/api/basket", { customer: "ada", lines }), "basket 1 has 2 lines");
    await answered(app, "/api/basket", { customer: "bob", lines: [{ article: "c", pieces: null }] });
    assert.deepEqual(await server.query("select * from baskets"), [[1, "ada"]]);
    assert.deepEqual(await server.query("select * from basket_lines"), [
      [1, "a", 1],
      [1, "b", 2],
    ]);
  },
};

for (const database of databases) {
  test(database.name, async (t) => {
    for (const [page, run] of Object.entries(examples)) {
      await t.test(page, async (own) => {
        const server = await database.start();
        own.after(() => server.close());
        await run(own, server);
      });
    }
  });
}
