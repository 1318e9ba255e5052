import { once } from "node:events";
import { createWriteStream, lstatSync, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BulkheadClient, orThrow } from "../../client/index.ts";
import { CommandError, UsageError } from "../errors.ts";
import { shellWord } from "../shell-word.ts";
import { sayJson } from "../terminal.ts";
import { shortBytes } from "../times.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
  readonly force?: boolean;
  readonly dataKey?: boolean;
}

export const addBackup: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "backup <file>", {
    summary: "stores a backup of a runtime, which goes on running, in a file",
    details:
      "It has flows, revisions, mappings, policies, connections, the state of flows and the audit log; not the values of secrets, nor the files of FILES_DIR, nor, without --data-key, the key of stored messages. The file appears when it is whole, and only its owner may read it. bulkhead restore makes directories of it.",
    examples: ["bulkhead backup backup.tar", "bulkhead backup nightly.tar --profile production --force"],
  });
  withJson(withTarget(command), "prints the file and its size as JSON")
    .option("--force", "replaces a file that is there")
    .option("--data-key", "adds the key of stored messages: readers of the file can decrypt them")
    .action(async (file: string, options: Options) => {
      if (options.force !== true) refuseExisting(file);
      const bytes = await storeBackup(await connect(options), file, options);
      const restore = `bulkhead restore ${shellWord(file)} --to DIRECTORY`;
      if (options.json === true) sayJson(terminal, { file, bytes, restore });
      else terminal.say(`stored: ${file}, ${shortBytes(bytes)}\nTo restore it: ${restore}`);
    });
};

/** Throws UsageError. */
function refuseExisting(file: string): void {
  if (isThere(file)) throw new UsageError(`${file} is there already: name another file, or replace it with --force`);
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A part of its path is a file: writing reports it.
    return false;
  }
}

/**
 * Returns its size in bytes. Written beside the file and renamed, so that an earlier backup is there until the new one is whole. Rejects with
 * CommandError, and with the client's errors; the file is as it was then.
 */
async function storeBackup(
  api: BulkheadClient,
  file: string,
  { force = false, dataKey = false }: Options,
): Promise<number> {
  const part = `${file}.${process.pid}.part`;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once("SIGINT", end).once("SIGTERM", end);
  const target = createWriteStream(part, { flags: "wx", mode: 0o600, flush: true });
  try {
    // A folder that is not there is reported before the runtime makes a backup.
    await once(target, "open");
    const body = await orThrow(
      api.GET("/_api/backup", { params: { query: { dataKey } }, parseAs: "stream", signal: stop.signal }),
    );
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), target);
    if (!force) refuseExisting(file);
    renameSync(part, file);
    return target.bytesWritten;
  } catch (error) {
    target.destroy();
    rmSync(part, { force: true });
    throw stop.signal.aborted || isOfStream(error)
      ? new CommandError(`no backup is stored: ${stop.signal.aborted ? "it was ended" : reasonOf(error)}`)
      : error;
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
  }
}

/** A connection that broke off, or an error of the file system; not a refusal of the runtime. */
function isOfStream(error: unknown): boolean {
  return error instanceof TypeError || (error as NodeJS.ErrnoException).code !== undefined;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
