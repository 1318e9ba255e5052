/** Writes a message as a file, wherever it is: its name, its content, its checksum (Camel: GenericFileProducer). */

import { basename, dirname, join } from "node:path";
import type { ProducerContext } from "../../engine/component.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { readable } from "../../engine/message-text.ts";
import { checksumOf } from "./checksum.ts";
import { type Writer, writerOf } from "./content.ts";
import { doneFileOf } from "./done-file.ts";
import { existingFile } from "./existing.ts";
import { refusal, shortPath } from "./failure.ts";
import { fileNames } from "./file-names.ts";
import type { Files } from "./file-system.ts";
import type { FileOptions } from "./options.ts";

export type WriterOptions = Pick<
  FileOptions,
  | "fileName"
  | "charset"
  | "doneFileName"
  | "autoCreate"
  | "flatten"
  | "fileExist"
  | "moveExisting"
  | "tempFileName"
  | "tempPrefix"
  | "appendChars"
  | "allowNullBody"
  | "eagerDeleteTargetFile"
  | "keepLastModified"
  | "forceWrites"
  | "jailStartingDirectory"
  | "checksumFileAlgorithm"
  | "checksumWriteFile"
>;

/** Writes the exchange's message as a file there. */
export type FileWriter = (exchange: Exchange, files: Files) => Promise<void>;

/** Throws for contradictory or invalid options. */
export function fileWriter(options: WriterOptions, context: ProducerContext): FileWriter {
  const { fileExist, allowNullBody, autoCreate, keepLastModified, checksumFileAlgorithm, checksumWriteFile } = options;
  const names = fileNames(options, context);
  const existing = existingFile(options, context);
  const contentOf = contentWriter(options, writerOf(options.charset, context.limits));
  const checksum = checksumOf(checksumFileAlgorithm);
  const done = doneFileOf(options.doneFileName);
  const how = { append: fileExist === "Append", sync: options.forceWrites };

  /** Resolves false when an existing file stays and nothing is written. */
  const store = async (exchange: Exchange, { area, system }: Files, path: string, content: Uint8Array | undefined) => {
    const temporary = names.temporary(exchange, area, path);
    // What replaces a file does not have to know whether it is there.
    const present = (fileExist !== "Override" || content === undefined) && (await system.stat(path)) !== undefined;
    if (present && !(await existing({ area, system }, path))) return temporary === undefined;
    if (content === undefined) {
      if (!allowNullBody) throw refusal(`Cannot write null body to file: ${shortPath(area.shown(path))}`);
      if (present && how.append) return true;
    }
    const bytes = content ?? new Uint8Array();
    if (autoCreate) await system.makeRoom(dirname(temporary ?? path));
    if (temporary !== undefined) {
      await system.replace(temporary, bytes, how);
      await system.move(temporary, path);
    } else if (how.append) await system.write(path, bytes, how);
    else await system.replace(path, bytes, how);
    if (keepLastModified) await keepTime({ area, system }, path, exchange.message.headers.get("CamelFileLastModified"));
    return true;
  };

  const write = async (exchange: Exchange, own: Files, path: string): Promise<void> => {
    const { headers } = exchange.message;
    const content = contentOf(exchange, own, path);
    if (!(await store(exchange, own, path, content))) return;
    if (checksum !== undefined) {
      const digest = checksum(content ?? new Uint8Array());
      headers.set("CamelFileChecksum", digest);
      if (checksumWriteFile) await own.system.replace(`${path}.${checksumFileAlgorithm}`, Buffer.from(digest));
    }
    if (done !== undefined) await own.system.replace(join(dirname(path), done.of(basename(path))), new Uint8Array());
    headers.set("CamelFileNameProduced", own.area.shown(path));
  };

  return async (exchange, own) => {
    try {
      const path = names.target(exchange, own.area);
      await own.system.one(path, () => write(exchange, own, path));
    } finally {
      exchange.message.headers.delete("CamelOverruleFileName");
    }
  };
}

/** Returns undefined for a null body. */
function contentWriter({ fileExist, appendChars = "", charset }: WriterOptions, writer: Writer) {
  const more = fileExist === "Append" ? writer(unescaped(appendChars)) : new Uint8Array();
  return (exchange: Exchange, { area }: Files, path: string): Uint8Array | undefined => {
    const { body } = exchange.message;
    if (body === null || body === undefined) return undefined;
    try {
      const bytes = writer(charset === undefined ? body : readable(exchange, body));
      return more.length === 0 ? bytes : Buffer.concat([bytes, more]);
    } catch (error) {
      throw refusal(`Cannot store file: ${shortPath(area.shown(path))} (${exceptionMessage(error)})`, error);
    }
  };
}

/** `\n` stands for a line end. */
function unescaped(text: string): string {
  const ends: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
  return text.replaceAll(/\\([nrt])/g, (_, letter: string) => ends[letter] as string);
}

async function keepTime({ system }: Files, path: string, value: unknown): Promise<void> {
  const time = value instanceof Date ? value : new Date(Number(value ?? Number.NaN));
  if (!Number.isNaN(time.getTime())) await system.setTime(path, time);
}
