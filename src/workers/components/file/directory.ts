/** The directory in which files are looked for (Camel: FileEndpoint.createConsumer, FileConsumer.pollDirectory). */
import { refusal } from "./failure.ts";
import type { FlowFiles } from "./flow-files.ts";
import type { FileOptions } from "./options.ts";

type DirectoryOptions = Pick<FileOptions, "autoCreate" | "startingDirectoryMustExist" | "directoryMustExist">;

/**
 * Returns what is called before each look: it makes the directory at the first one, and rejects when it has to be there
 * and is not. Later it may be missing.
 */
export function directoryFor(options: DirectoryOptions): (files: FlowFiles) => Promise<void> {
  const { autoCreate, startingDirectoryMustExist, directoryMustExist } = options;
  let begun = false;
  return async ({ area, disk }) => {
    if (!begun && autoCreate) await disk.makeRoom(area.path);
    const stats = await disk.stat(area.path);
    if (stats?.isDirectory() !== true && (directoryMustExist || (!begun && startingDirectoryMustExist))) {
      throw refusal(`Directory does not exist: ${area.name}`);
    }
    begun = true;
  };
}
