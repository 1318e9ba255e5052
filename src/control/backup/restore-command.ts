/** `bulkhead restore <archive> --to <directory> [--start]`. */
import { resolve } from "node:path";
import { RestoreError, restoreBackup } from "./restore.ts";

export interface RestoreArguments {
  readonly archive: string;
  readonly directory: string;
  readonly start: boolean;
}

/** Returns the exit code: 0 restored, 1 the archive or the directory cannot be used, and nothing was restored. */
export async function restoreCommand(
  { archive, directory, start }: RestoreArguments,
  say: (line: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  const target = resolve(directory);
  try {
    const { head, manifest } = await restoreBackup({ archive, directory: target, start });
    const flows = manifest.files.filter(({ path }) => path.startsWith("routes/")).length;
    say(`restored: ${flows} flows, ${manifest.files.length} files, as of ${head.at}, from Bulkhead ${head.runtime}`);
    for (const { name, reason } of manifest.leftOut) say(`not in the backup: ${name} (${reason})`);
    say(`start it with ROUTES_DIR=${target}/routes DATA_DIR=${target}/data, and with the secrets, which no backup has`);
    const has = (part: string): boolean => manifest.files.some(({ path }) => path.startsWith(part));
    if (has("data/state/") && !has("data/data.key"))
      say(
        `the backup has no key for the messages that flows have kept: set the same DATA_KEY, or copy data.key of that runtime's DATA_DIR to ${target}/data; without it they cannot be read or retried`,
      );
    if (!start)
      say(
        "timers and sources wait, since the runtime that was backed up may still run: bulkhead start --start ends that",
      );
    return 0;
  } catch (error) {
    if (!(error instanceof RestoreError)) throw error;
    complain(`${archive}: ${error.message}`);
    return 1;
  }
}
