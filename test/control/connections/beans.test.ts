/** Beans of DataSource classes are connections of their flow. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startAskServer } from "../../support/ask-server.ts";
import { asks, startAskingApp } from "../../support/connections.ts";

function withBean(type: string, properties: Readonly<Record<string, string>>, id = "shop"): string {
  return `- beans: [{ name: ds, type: ${type}, properties: ${JSON.stringify(properties)} }]\n${asks(id, "asking:#ds")}`;
}

const basic = "org.apache.commons.dbcp2.BasicDataSource";
const postgres = "org.postgresql.ds.PGSimpleDataSource";

test("a bean's URL, user and password open the connection, and a password may be a secret", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t, {
    egressAllow: `127.0.0.1:${server.port}`,
    secrets: { "basic/DB": "of-basic", "simple/DB": "of-simple" },
  });
  const flows = {
    basic: withBean(
      basic,
      { url: `jdbc:postgresql://127.0.0.1:${server.port}/shop`, username: "shop", password: "{{secret:DB}}" },
      "basic",
    ),
    simple: withBean(
      postgres,
      {
        ...{ serverName: "127.0.0.1", portNumber: `${server.port}`, databaseName: "shop" },
        ...{ user: "shop", password: "{{secret:DB}}" },
      },
      "simple",
    ),
  };
  for (const [id, yaml] of Object.entries(flows)) {
    const put = await app.put(id, yaml);
    assert.equal(put.status, 201, await put.text());
    assert.equal(await (await app.post(`/api/${id}`, "x")).text(), "answer to x");
  }
  assert.deepEqual(server.logins, ["of-basic", "of-simple"]);
});

test("what a bean cannot do here is refused by its name", async (t) => {
  const app = await startAskingApp(t);
  const url = "jdbc:postgresql://db/shop";
  const cases: readonly (readonly [type: string, properties: Readonly<Record<string, string>>, refusal: RegExp])[] = [
    [basic, { url, validationQuery: "SELECT 1" }, /has no property 'validationQuery'/],
    [basic, { url: "jdbc:h2:mem:x" }, /is one of 'h2', which this runtime does not connect to: jdbc:postgresql:/],
    [basic, { url: "jdbc:postgresql://me:secret@db/shop" }, /has a user before its server: give username and password/],
    [
      basic,
      { url: `${url}?sslmode=require` },
      /sslmode=require, which does not check the server's certificate always: write sslmode=verify-full/,
    ],
    [
      basic,
      { url: "jdbc:mysql://db/shop?allowMultiQueries=true" },
      /the parameter 'allowMultiQueries', which has no effect here/,
    ],
    [basic, { username: "shop" }, /names no server: give its URL/],
    [postgres, { url: "jdbc:mysql://db/shop" }, /its URL is that of another product/],
    [
      "org.apache.camel.processor.StopProcessor",
      {},
      /names the bean 'ds' of type '.*StopProcessor', which is no connection/,
    ],
  ];
  for (const [type, properties, refusal] of cases) {
    const put = await app.put("shop", withBean(type, properties));
    const { error } = (await put.json()) as { error: string };
    assert.equal(put.status, 422, error);
    assert.match(error, refusal);
  }
});
