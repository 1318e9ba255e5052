/** vsftpd in the suite that every connector must pass. */
import { after } from "node:test";
import { missing } from "../missing.ts";
import { type Outcome, tableOf, writePage } from "../suite/outcome.ts";
import { testConnector } from "../suite/suite.ts";
import { ftpConnectors } from "./ftp-connector.ts";

const outcomes: Outcome[] = [];

for (const connector of missing("vsftpd") === false ? ftpConnectors : []) testConnector(connector, outcomes);

after(() => {
  process.stdout.write(`\n${tableOf(outcomes)}\n`);
  const page = process.env["SUITE_PAGE"];
  if (page !== undefined) writePage(page, outcomes);
});
