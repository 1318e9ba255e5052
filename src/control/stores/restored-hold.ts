/**
 * The mark of a restored data directory, `restored.json`: as long as it is there, timers and sources wait, for the runtime
 * that was backed up may still run.
 */
import { join } from "node:path";
import * as z from "zod";
import { OwnDirectory, removeFile, replaceFile } from "./durable-files.ts";
import { type FsPort, nodeFs } from "./fs-port.ts";
import { isAbsent } from "./store-error.ts";

const holdSchema = z.object({
  /** When the backup was made, and when it was restored. ISO 8601, UTC. */
  backupAt: z.string(),
  restoredAt: z.string(),
});
export type RestoredHold = z.infer<typeof holdSchema>;

const holdFile = "restored.json";
const mostBytes = 4096;
const fileMode = 0o600;
const directoryMode = 0o700;

/** Writes the mark, durably. */
export async function writeHold(fs: FsPort, directory: string, hold: RestoredHold): Promise<void> {
  await new OwnDirectory(fs, directory, directoryMode).ensure();
  await replaceFile(fs, join(directory, holdFile), new TextEncoder().encode(`${JSON.stringify(hold)}\n`), fileMode);
}

/** Reads the mark; undefined: there is none. One that cannot be read counts, too. */
export async function readHold(directory: string, fs: FsPort = nodeFs): Promise<RestoredHold | undefined> {
  try {
    const bytes = await fs.read(join(directory, holdFile), mostBytes);
    return holdSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    return isAbsent(error) ? undefined : { backupAt: "an unknown time", restoredAt: "an unknown time" };
  }
}

/** Removes the mark, durably. Rejects with the mark in place. */
export async function removeHold(directory: string, fs: FsPort = nodeFs): Promise<void> {
  await removeFile(fs, join(directory, holdFile), fileMode);
}
