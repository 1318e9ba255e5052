/** Writes a message as a file: its name, its content, its checksum (Camel: GenericFileProducer, FileOperations). */

import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { ProducerContext } from "../../engine/component.ts";
import { asText } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import { type FileArea, onlyName } from "./area.ts";
import { type Writer, writerOf } from "./content.ts";
import { doneFileOf } from "./done-file.ts";
import { existingFile } from "./existing.ts";
import { refusal, shortPath } from "./failure.ts";
import { type FlowFiles, flowFiles } from "./flow-files.ts";
import { nameOf } from "./headers.ts";
import type { FileOptions } from "./options.ts";

/** Throws for contradictory or invalid options. */
export function fileProducer(options: FileOptions, context: ProducerContext): Processor {
  const { fileExist, allowNullBody, autoCreate, keepLastModified, checksumFileAlgorithm, checksumWriteFile } = options;
  const files = flowFiles(options.directoryName, context);
  const names = fileNames(options, context);
  const existing = existingFile(options, context);
  const contentOf = contentWriter(options, writerOf(options.charset, context.limits));
  const checksum = checksumOf(checksumFileAlgorithm);
  const done = doneFileOf(options.doneFileName);
  const how = { append: fileExist === "Append", sync: options.forceWrites };

  /** Resolves false when an existing file stays and nothing is written. */
  const store = async (
    exchange: Exchange,
    { area, disk }: FlowFiles,
    path: string,
    content: Uint8Array | undefined,
  ) => {
    const temporary = names.temporary(exchange, area, path);
    const present = (await disk.stat(path)) !== undefined;
    if (present && !(await existing({ area, disk }, path))) return temporary === undefined;
    if (content === undefined) {
      if (!allowNullBody) throw refusal(`Cannot write null body to file: ${shortPath(area.shown(path))}`);
      if (present && how.append) return true;
    }
    const bytes = content ?? new Uint8Array();
    if (autoCreate) await disk.makeRoom(dirname(temporary ?? path));
    if (temporary !== undefined) {
      await disk.replace(temporary, bytes, how);
      await disk.move(temporary, path);
    } else if (how.append) await disk.write(path, bytes, how);
    else await disk.replace(path, bytes, how);
    if (keepLastModified) await keepTime({ area, disk }, path, exchange.message.headers.get("CamelFileLastModified"));
    return true;
  };

  const write = async (exchange: Exchange, own: FlowFiles, path: string): Promise<void> => {
    const { headers } = exchange.message;
    const content = contentOf(exchange, own, path);
    if (!(await store(exchange, own, path, content))) return;
    if (checksum !== undefined) {
      const digest = checksum(content ?? new Uint8Array());
      headers.set("CamelFileChecksum", digest);
      if (checksumWriteFile) await own.disk.replace(`${path}.${checksumFileAlgorithm}`, Buffer.from(digest));
    }
    if (done !== undefined) await own.disk.replace(join(dirname(path), done.of(basename(path))), new Uint8Array());
    headers.set("CamelFileNameProduced", own.area.shown(path));
  };

  return async (exchange) => {
    const own = files();
    try {
      const path = names.target(exchange, own.area);
      await own.disk.one(path, () => write(exchange, own, path));
    } finally {
      exchange.message.headers.delete("CamelOverruleFileName");
    }
  };
}

/** Returns undefined for a null body. */
function contentWriter({ fileExist, appendChars = "" }: FileOptions, writer: Writer) {
  const more = fileExist === "Append" ? writer(unescaped(appendChars)) : new Uint8Array();
  return ({ message: { body } }: Exchange, { area }: FlowFiles, path: string): Uint8Array | undefined => {
    if (body === null || body === undefined) return undefined;
    try {
      const bytes = writer(body);
      return more.length === 0 ? bytes : Buffer.concat([bytes, more]);
    } catch (error) {
      throw refusal(`Cannot store file: ${shortPath(area.shown(path))}`, error);
    }
  };
}

/** `\n` stands for a line end. */
function unescaped(text: string): string {
  const ends: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
  return text.replaceAll(/\\([nrt])/g, (_, letter: string) => ends[letter] as string);
}

async function keepTime({ disk }: FlowFiles, path: string, value: unknown): Promise<void> {
  const time = value instanceof Date ? value : new Date(Number(value ?? Number.NaN));
  if (!Number.isNaN(time.getTime())) await disk.setTime(path, time);
}

/** The name under which a message is written (Camel: GenericFileProducer.createFileName, createTempFileName). */
interface FileNames {
  /** Throws IllegalArgumentException for a name outside the allowed directory. */
  target(exchange: Exchange, area: FileArea): string;
  /** Returns the path where the file is written first; undefined without one. */
  temporary(exchange: Exchange, area: FileArea, path: string): string | undefined;
}

type NameOptions = Pick<FileOptions, "fileName" | "flatten" | "jailStartingDirectory" | "tempFileName" | "tempPrefix">;

export function fileNames(options: NameOptions, context: ProducerContext): FileNames {
  const { flatten, jailStartingDirectory, tempPrefix } = options;
  const named = nameOf(options.fileName, context);
  const prefixed = tempPrefix === undefined ? undefined : `${tempPrefix}\${file:onlyname}`;
  const temporary = nameOf(options.tempFileName ?? prefixed, context);
  return {
    target(exchange, area) {
      const given = named === undefined ? givenName(exchange) : named(withName(exchange, givenName(exchange)));
      const name = given ?? exchange.id;
      const flat = flatten ? onlyName(name) : name;
      if (flat === "") throw refusal(`Cannot store file: ${area.name} (its name is empty)`);
      return jailStartingDirectory ? area.inside(flat) : area.anywhere(flat);
    },
    temporary(exchange, area, path) {
      if (temporary === undefined) return undefined;
      const name = temporary(withName(exchange, givenName(exchange) ?? onlyName(path)));
      return area.beside(path, name);
    },
  };
}

/** CamelOverruleFileName precedes CamelFileName, and is used once. */
function givenName({ message: { headers } }: Exchange): string | undefined {
  const given = headers.get("CamelOverruleFileName") ?? headers.get("CamelFileName");
  return given === undefined || given === null ? undefined : asText(given);
}

function withName(exchange: Exchange, name: string | undefined): Exchange {
  const { headers } = exchange.message;
  if (name === undefined || headers.get("CamelFileName") === name) return exchange;
  const copy = exchange.copy();
  copy.message.headers.receive("CamelFileName", name);
  return copy;
}

/** Names for `checksumFileAlgorithm`, as in Java and in Camel's documentation. */
const algorithms: Readonly<Record<string, string>> = {
  md5: "md5",
  sha1: "sha1",
  sha: "sha1",
  sha224: "sha224",
  sha256: "sha256",
  sha384: "sha384",
  sha512: "sha512",
  sha512224: "sha512-224",
  sha512256: "sha512-256",
  sha3224: "sha3-224",
  sha3256: "sha3-256",
  sha3384: "sha3-384",
  sha3512: "sha3-512",
};

export type Checksum = (content: Uint8Array) => string;

/** `SHA-256`, `SHA_256` and `sha256` are equal. Throws for an unknown algorithm. */
export function checksumOf(algorithm: string | undefined): Checksum | undefined {
  if (algorithm === undefined) return undefined;
  const name = algorithm.replaceAll(/[-_/]/g, "").toLowerCase();
  const own = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
  if (own === undefined)
    throw new Error(`checksumFileAlgorithm '${algorithm}' is not one of ${Object.values(algorithms).join(", ")}`);
  return (content) => createHash(own).update(content).digest("hex");
}
