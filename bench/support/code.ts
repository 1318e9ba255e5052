/** Which code `bin/bulkhead.js` of a checkout runs. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A comparison of bundled code with sources would say nothing, and an operator runs the bundle. */
export async function mustBeBundled(tree = "."): Promise<void> {
  const entry = (await import(pathToFileURL(resolve(tree, "bin/entry.js")).href)) as { freshest(): string };
  if (!entry.freshest().endsWith(".js")) throw new Error(`${tree} has no new bundle: run node scripts/bundle.ts there`);
}
