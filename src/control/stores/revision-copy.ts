/** Reads a flow's revisions for a backup: the files as they are, damaged ones included. */
import { join } from "node:path";
import type { StoredFile } from "./backed-up.ts";
import { mostFileBytes } from "./durable-files.ts";
import type { FsPort } from "./fs-port.ts";
import { isAbsent, isMisplaced } from "./store-error.ts";

/** The names of the head and of records; others are not the store's. */
const fileName = /^(?:head|[1-9][0-9]{0,14})\.json$/;

/** `directory`: the one that holds a directory for each flow. */
export async function copyRevisions(fs: FsPort, directory: string, id: string): Promise<readonly StoredFile[]> {
  const names = await fs.names(join(directory, id)).catch(unlessAbsent);
  const files: StoredFile[] = [];
  for (const name of (names ?? []).filter((one) => fileName.test(one)).sort()) {
    const content = await fs.read(join(directory, id, name), mostFileBytes).catch(unlessAbsent);
    if (content !== undefined) files.push({ path: `data/flows/${id}/${name}`, content });
  }
  return files;
}

/** An old record may be removed meanwhile, and something else may have its name. */
function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error) && !isMisplaced(error)) throw error;
}
