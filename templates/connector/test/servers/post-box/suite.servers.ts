/** Post box in the suite that every connector must pass. */
import { after } from "node:test";
import { type Outcome, tableOf, writePage } from "../../../../../test/servers/suite/outcome.ts";
import { testConnector } from "../../../../../test/servers/suite/suite.ts";
import { connector } from "./post-box-connector.ts";

const outcomes: Outcome[] = [];

testConnector(connector, outcomes);

after(() => {
  process.stdout.write(`\n${tableOf(outcomes)}\n`);
  const page = process.env["SUITE_PAGE"];
  if (page !== undefined) writePage(page, outcomes);
});
