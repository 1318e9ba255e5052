/** sql-stored endpoints, against real databases: procedures and functions, and what they give back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { databases } from "../databases.ts";
import { startSqlApp } from "./sql-flow.ts";

const made = {
  postgres: [
    "create procedure add_up(a integer, b integer, out total integer, inout note varchar) language plpgsql as $$ begin total := a + b; note := note || '!'; end $$",
    "create function twice(a integer) returns integer language sql as 'select a * 2'",
  ],
  mysql: [
    "create procedure add_up(in a int, in b int, out total int, inout note varchar(20)) begin set total = a + b; set note = concat(note, '!'); end",
    "create function twice(a int) returns int deterministic return a * 2",
    "create procedure listed() begin select 1 as one; end",
  ],
} as const;

for (const database of databases) {
  test(database.name, async (t) => {
    const { app, flow, server } = await startSqlApp(t, database);
    for (const statement of made[server.kind]) await server.query(statement);
    const template = "add_up(INTEGER :#a, INTEGER ${body[b]}, OUT INTEGER total, INOUT VARCHAR 'well' note)";

    await t.test("what a procedure gives back is a map, in the body or a header", async () => {
      const body = await flow("body", `{ to: { uri: sql-stored, parameters: { template: "${template}" } } }`);
      assert.equal((await body({ a: 2, b: 3 })).text, '{"total":5,"note":"well!"}');
      const header = await flow(
        "header",
        `{ to: { uri: sql-stored, parameters: { template: "${template}", outputHeader: out, noop: true } } }, { setBody: { simple: "\${header.out[total]} \${body[a]}" } }`,
      );
      assert.equal((await header({ a: 4, b: 3 })).text, "7 4");
      const brought = await flow(
        "brought",
        `{ setHeader: { name: CamelSqlStoredParameters, simple: "\${body}" } }, { setBody: { constant: "add_up(INTEGER :#a, INTEGER 1, OUT INTEGER total, INOUT VARCHAR 'x' note)" } }, { to: "sql-stored:x()?useMessageBodyForTemplate=true" }`,
      );
      assert.equal((await brought({ a: 9 })).text, '{"total":10,"note":"x!"}');
    });

    await t.test("a function returns its value, and rows of a procedure have their names", async () => {
      const twice = await flow(
        "twice",
        `{ to: { uri: sql-stored, parameters: { template: "twice(OUT INTEGER doubled, INTEGER :#a)", function: true } } }`,
      );
      assert.equal((await twice({ a: 21 })).text, '{"doubled":42}');
      if (server.kind === "postgres") return;
      const listed = await flow("listed", `{ to: "sql-stored:listed()" }`);
      assert.equal((await listed()).text, '{"#result-set-1":[{"one":1}]}');
    });

    await t.test("a template that cannot be read is refused with what to write", async () => {
      for (const [bad, expected] of [
        ["add_up", /is a name with parameters/],
        ["add_up(INTEGER)", /needs a value/],
        ["add_up(OUT INTEGER)", /a name under which it comes back/],
        ["add_up(INTEGER 1 name)", /which only OUT and INOUT have/],
      ] as const) {
        const answer = await app.put(
          "bad",
          `- route: { id: bad, from: { uri: webhook, steps: [{ to: { uri: sql-stored, parameters: { template: "${bad}" } } }] } }`,
        );
        assert.equal(answer.status, 422);
        assert.match(await answer.text(), expected);
      }
    });
  });
}
