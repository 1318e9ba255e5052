/** What every component states of itself. The lists stand here, so that a component that changes them, or a new one, is a decision. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../src/workers/catalog.ts";
import { type ComponentDefinition, consumes } from "../../src/workers/engine/component.ts";

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
  assert.deepEqual(schemesOf(found), listed(once));
});

/** Of every component with a producer, and of no other. */
const effects: Readonly<Record<string, string>> = {
  "the message alone": "json-validator language log mapping mock mustache",
  "options decide": "controlbus http https sql",
  writes:
    "activemq activemq6 amqp direct file ftp ftps jdbc jms kafka paho paho-mqtt5 rabbitmq seda sftp smtp smtps spring-jdbc spring-rabbitmq sql-stored stub",
};

/** Of every component with a poller, and of no other. */
const pollEffects: Readonly<Record<string, string>> = { reads: "http https", writes: "file seda stub" };

test("a component states what its producer and its poller do outside of the message", () => {
  const found = Object.groupBy(
    components.filter(({ producer, effect }) => (producer ?? effect) !== undefined),
    ({ effect = "nothing is stated" }) => {
      if (typeof effect === "function") return "options decide";
      return effect === "none" ? "the message alone" : effect;
    },
  );
  assert.deepEqual(schemesOf(found), listed(effects));
  const polled = Object.groupBy(
    components.filter(({ poller, pollEffect }) => (poller ?? pollEffect) !== undefined),
    ({ pollEffect = "nothing is stated" }) => pollEffect,
  );
  assert.deepEqual(schemesOf(polled), listed(pollEffects));
});

function schemesOf(groups: Partial<Record<string, readonly ComponentDefinition[]>>): Record<string, readonly string[]> {
  const lists = Object.entries(groups).map(([what, some = []]) => [what, some.map(({ scheme }) => scheme).sort()]);
  return Object.fromEntries(lists);
}

function listed(lists: Readonly<Record<string, string>>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(lists).map(([what, schemes]) => [what, schemes.split(" ")]));
}
