/** Databases in the suite that every connector must pass. */
import { after } from "node:test";
import { databases } from "../databases.ts";
import { embeddedConnectors } from "../embedded/embedded-connector.ts";
import { type Outcome, tableOf, writePage } from "../suite/outcome.ts";
import { testConnector } from "../suite/suite.ts";
import { sqlConnectors } from "./sql-connector.ts";

const outcomes: Outcome[] = [];

for (const connector of [...databases.flatMap(sqlConnectors), ...embeddedConnectors])
  testConnector(connector, outcomes);

after(() => {
  process.stdout.write(`\n${tableOf(outcomes)}\n`);
  const page = process.env["SUITE_PAGE"];
  if (page !== undefined) writePage(page, outcomes);
});
