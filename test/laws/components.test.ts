/** What every component states of itself. The lists stand here, so that a component that changes them, or a new one, is a decision. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../src/workers/catalog.ts";
import { consumes } from "../../src/workers/engine/component.ts";

const components = [...catalog.components.values()];

/** Of every component that can be used in `from`, and of no other. */
const once: Readonly<Record<string, string>> = {
  "only one runtime may consume": "cron file ftp ftps quartz scheduler sftp sql timer",
  "options decide": "activemq activemq6 amqp jms paho paho-mqtt5",
  "every runtime may consume": "direct kafka platform-http rabbitmq seda spring-rabbitmq stub webhook",
};

test("a component states whether only one runtime may consume with it", () => {
  const found = Object.groupBy(
    components.filter((component) => consumes(component) || component.once !== undefined),
    ({ once: own }) => {
      if (typeof own === "object") return "options decide";
      if (own === undefined) return "nothing is stated";
      return own ? "only one runtime may consume" : "every runtime may consume";
    },
  );
  const lists = Object.entries(found).map(([what, some = []]) => [what, some.map(({ scheme }) => scheme).sort()]);
  assert.deepEqual(
    Object.fromEntries(lists),
    Object.fromEntries(Object.entries(once).map(([what, schemes]) => [what, schemes.split(" ")])),
  );
});
