/** MQTT in the suite that every connector must pass. */
import { after } from "node:test";
import { missing } from "../missing.ts";
import { type Outcome, tableOf, writePage } from "../suite/outcome.ts";
import { testConnector } from "../suite/suite.ts";
import { mqttConnectors } from "./mqtt-connector.ts";

const outcomes: Outcome[] = [];

for (const connector of missing("Mosquitto") === false ? mqttConnectors : []) testConnector(connector, outcomes);

after(() => {
  process.stdout.write(`\n${tableOf(outcomes)}\n`);
  const page = process.env["SUITE_PAGE"];
  if (page !== undefined) writePage(page, outcomes);
});
