/** The options of a remote endpoint as the parts of the file component read them. */
import type { z } from "zod";
import type { FileOptions } from "../file/options.ts";
import type { TakingOptions } from "../file/put-away.ts";
import type { remoteOptions } from "./options.ts";

/** The values of the options that all schemes have. */
export type RemoteOptions = z.output<z.ZodObject<ReturnType<typeof remoteOptions>>>;

export function fileOptionsOf(options: RemoteOptions, directory: string): FileOptions {
  const { ignoreFileNotFoundOrPermissionError: ignores, readLock } = options;
  return {
    ...options,
    directoryName: directory,
    readLock: readLock === "changed" ? "changed" : "none",
    includeHiddenFiles: false,
    includeHiddenDirs: false,
    startingDirectoryMustExist: !ignores,
    directoryMustExist: !ignores,
    forceWrites: false,
  };
}

/** Files of a server stay where nothing says what becomes of them. */
export function takingOptionsOf(options: RemoteOptions, directory: string): TakingOptions {
  const { readLock, download } = options;
  return {
    ...fileOptionsOf(options, directory),
    usualMove: undefined,
    renames: readLock === "rename",
    reads: download,
  };
}
