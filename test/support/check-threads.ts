/** Check threads for all runtimes that a test file starts: booting them is the most expensive part of a start. */
import { after } from "node:test";
import { CheckPool } from "../../src/control/flows/check-pool.ts";
import { bundle } from "./bundles.ts";

let shared: CheckPool | undefined;

after(() => shared?.close());

export function checkThreads(): CheckPool {
  shared ??= new CheckPool(2, bundle("check-worker"));
  return shared;
}
