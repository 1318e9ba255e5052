/** The directory in which files are looked for (Camel: FileEndpoint.createConsumer, FileConsumer.pollDirectory). */
import { refusal } from "./failure.ts";
import type { Files } from "./file-system.ts";
import type { FileOptions } from "./options.ts";

type DirectoryOptions = Pick<FileOptions, "autoCreate" | "startingDirectoryMustExist" | "directoryMustExist">;

/**
 * Returns what is called before each look: it makes the directory at the first one, and rejects when it has to be there
 * and is not. Later it may be missing.
 */
export function directoryFor(options: DirectoryOptions): (files: Files) => Promise<void> {
  const { autoCreate, startingDirectoryMustExist, directoryMustExist } = options;
  let begun = false;
  return async ({ area, system }) => {
    if (!begun && autoCreate) await system.makeRoom(area.path);
    const stats = await system.stat(area.path);
    if (stats?.isDirectory() !== true && (directoryMustExist || (!begun && startingDirectoryMustExist))) {
      throw refusal(`Directory does not exist: ${area.name}`);
    }
    begun = true;
  };
}
