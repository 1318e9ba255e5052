/**
 * Runs the suite that every connector must pass: for the server that SUITE_SERVER names, otherwise for one server after the
 * other. `npm run test:servers` starts this file once for each server.
 */
import { missing } from "./missing.ts";
import { servers } from "./servers.ts";
import { testConnectors } from "./suite/suite.ts";

const named = process.env["SUITE_SERVER"];
const isSmoke = process.env["SUITE_SMOKE"] === "1";

for (const { name, connectors } of servers) {
  if (connectors === undefined || (named ?? name) !== name || missing(name) !== false) continue;
  const all = await connectors();
  testConnectors(name, isSmoke ? all.slice(0, 1) : all, { isSmoke });
}
