/** A project folder that is served as it is: its flows are deployed, the documents beside them are not. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Returns what to report of `documents/` in the routes directory; undefined: there is none. Does not reject. */
export async function undeployedDocuments(routesDirectory: string): Promise<string | undefined> {
  const entries = await readdir(join(routesDirectory, "documents"), { withFileTypes: true }).catch(() => []);
  const kinds = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (kinds.length === 0) return undefined;
  return (
    `the runtime does not read ${kinds.sort().join(", ")} of ${join(routesDirectory, "documents")}: ` +
    `bulkhead deploy ${routesDirectory} puts them in force, and bulkhead run --dev does`
  );
}
