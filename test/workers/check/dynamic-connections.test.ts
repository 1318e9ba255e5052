/** A connection that the text of an endpoint names is the flow's, with `to` and with `toD`: a deployment asks for it, and runs may use it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { check } from "../../../src/workers/check-tasks.ts";

async function connectionsOf(step: string): Promise<readonly (string | undefined)[]> {
  const yaml = `- route: { id: main, from: { uri: direct:start, steps: [${step}] } }\n`;
  const { diagnostics, flow } = await check({ flowId: "main", yaml, params: {}, limits: defaultLimits });
  assert.ok(flow !== undefined, `${step}: ${JSON.stringify(diagnostics)}`);
  return (flow.manifest.connections ?? []).map(({ id, name }) => name ?? id);
}

const uris: Readonly<Record<string, readonly [named: string, unnamed: string]>> = {
  activemq: ["activemq:queue:a?connectionFactory=#named", "activemq:queue:a"],
  activemq6: ["activemq6:queue:a?connectionFactory=#named", "activemq6:queue:a"],
  amqp: ["amqp:queue:a?connectionFactory=#named", "amqp:queue:a"],
  jms: ["jms:queue:a?connectionFactory=#named", "jms:queue:a"],
  kafka: ["kafka:a?brokers=#named", "kafka:a"],
  paho: ["paho:a?client=#named", "paho:a"],
  "paho-mqtt5": ["paho-mqtt5:a?client=#named", "paho-mqtt5:a"],
  rabbitmq: ["rabbitmq:a?connectionFactory=#named", "rabbitmq:a"],
  "spring-rabbitmq": ["spring-rabbitmq:a?connectionFactory=#named", "spring-rabbitmq:a"],
  sql: ["sql:select 1?dataSource=#named", "sql:select 1"],
  "sql-stored": ["sql-stored:f(INTEGER 1)?dataSource=#named", "sql-stored:f(INTEGER 1)"],
  jdbc: ["jdbc:named", "jdbc:default"],
  "spring-jdbc": ["spring-jdbc:named", "spring-jdbc:dataSource"],
  sftp: ["sftp:?connection=#named&fileName=a", "sftp:?fileName=a"],
  ftp: ["ftp:?connection=#named&fileName=a", "ftp:?fileName=a"],
  ftps: ["ftps:?connection=#named&fileName=a", "ftps:?fileName=a"],
  smtp: ["smtp:?connection=#named&to=a@b.example", "smtp:?to=a@b.example"],
  smtps: ["smtps:?connection=#named&to=a@b.example", "smtps:?to=a@b.example"],
};

test("every component with a connection is looked at", () => {
  const connecting = [...catalog.components.values()].filter(
    ({ connects }) => connects !== undefined && connects.optional !== true,
  );
  assert.deepEqual(connecting.map(({ scheme }) => scheme).sort(), Object.keys(uris).sort());
});

for (const [scheme, [named, unnamed]] of Object.entries(uris)) {
  test(`${scheme}: toD declares what to declares, whether the text names the connection or not`, async () => {
    for (const uri of [named, unnamed]) {
      const expected = await connectionsOf(`{ to: "${uri}" }`);
      assert.equal(expected.length, 1, uri);
      assert.deepEqual(await connectionsOf(`{ toD: "${uri}" }`), expected, uri);
    }
    assert.deepEqual(await connectionsOf(`{ to: "${named}" }`), ["named"]);
  });
}

for (const [scheme, [, unnamed]] of Object.entries(uris)) {
  test(`${scheme}: 'connection' names the connection, in 'to' and in 'toD', with and without the mark`, async () => {
    const bare = unnamed.replace(/^(jdbc|spring-jdbc):\w+/, "$1:");
    const uri = `${bare}${bare.includes("?") ? "&" : "?"}connection=`;
    for (const name of ["named", "#named"])
      for (const step of ["to", "toD"])
        assert.deepEqual(await connectionsOf(`{ ${step}: "${uri}${name}" }`), ["named"], `${step}: ${uri}${name}`);
    const parameters = `{ to: { uri: "${bare}", parameters: { connection: named } } }`;
    assert.deepEqual(await connectionsOf(parameters), ["named"], parameters);
  });
}

for (const scheme of ["http", "https"])
  test(`${scheme}: an endpoint uses a connection only if it names one with the mark`, async () => {
    for (const step of ["to", "toD"]) {
      const named = `{ ${step}: "${scheme}://a.example/b?connection=#named" }`;
      assert.deepEqual(await connectionsOf(named), ["named"], named);
      for (const uri of ["b", "b?connection=named"])
        assert.deepEqual(await connectionsOf(`{ ${step}: "${scheme}://a.example/${uri}" }`), []);
    }
  });

test("an endpoint that names its connection by both options is refused with their names", async () => {
  const yaml =
    '- route: { id: main, from: { uri: direct:a, steps: [{ to: "sql:select 1?dataSource=#a&connection=b" }] } }\n';
  const { diagnostics } = await check({ flowId: "main", yaml, params: {}, limits: defaultLimits });
  assert.match(
    diagnostics[0]?.message ?? "",
    /'connection' and 'dataSource' are the same option|'dataSource' and 'connection'/,
  );
});

test("a connection that only messages name, and a server of the endpoint's own, are not declared", async () => {
  for (const uri of [
    "kafka:${body}?brokers=#${header.name}",
    "kafka:${body}?brokers=a.example:9092",
    "sftp:a.example/in?fileName=${body}",
    "sftp:${header.host}?fileName=a",
    "smtp:a.example?to=${body}",
    "sql:${body}?host=a.example&kind=postgres",
    "jms:queue:${body}?brokerURL=amqp://a.example",
    "jdbc:${body}",
  ])
    assert.deepEqual(await connectionsOf(`{ toD: "${uri}" }`), [], uri);
});
