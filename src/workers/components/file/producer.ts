/** Writes a message as a file (Camel: GenericFileProducer, FileOperations). */
import { createHash, randomUUID } from "node:crypto";
import { appendFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ProducerContext } from "../../engine/component.ts";
import { convertTo } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import { FileArea, makeRoom, moveTo, statOf } from "./area.ts";
import { charsetOf, encode } from "./charset.ts";
import { fileHeaders } from "./headers.ts";
import type { FileOptions } from "./options.ts";

export function fileProducer(options: FileOptions, context: ProducerContext): Processor {
  const { directoryName, fileName, fileExist, tempFileName, tempPrefix, doneFileName, moveExisting } = options;
  const charset = charsetOf(options.charset);
  const named = fileName === undefined ? undefined : context.template(fileName);
  const done = doneFileName === undefined ? undefined : context.template(doneFileName);
  const existing = moveExisting === undefined ? undefined : context.template(moveExisting);
  if (fileExist === "Move" && existing === undefined) throw new Error("fileExist=Move needs moveExisting: where to");
  const temporary =
    tempFileName === undefined
      ? tempPrefix === undefined
        ? undefined
        : (name: string) => join(dirname(name), `${tempPrefix}${basename(name)}`)
      : undefined;
  const temporaryName = tempFileName === undefined ? undefined : context.template(tempFileName);
  return async (exchange) => {
    const area = new FileArea(rootOf(context), directoryName);
    const { message } = exchange;
    const name = nameOf(exchange, named, options.flatten);
    const target = area.inside(name);
    if (message.body === null && !options.allowNullBody) {
      throw new FlowException(
        "org.apache.camel.component.file.GenericFileOperationFailedException",
        "Cannot write null body to file: set allowNullBody to write an empty one",
      );
    }
    const content = contentOf(exchange, charset, options.appendChars);
    if (options.autoCreate) await makeRoom(target);
    const present = await statOf(target);
    if (present !== undefined && !present.isFile()) throw taken(name, "is not a file");
    if (present !== undefined && fileExist === "Fail") throw taken(name, "exists already: Cannot overwrite");
    if (present !== undefined && fileExist === "Ignore") return;
    if (present !== undefined && fileExist === "TryRename") throw taken(name, "exists already");
    if (present !== undefined && fileExist === "Move" && existing !== undefined) {
      await moveTo(target, area.inside(existing(namedExchange(exchange, area, target))));
    }
    if (present !== undefined && fileExist === "Append") await appendFile(target, content);
    else {
      const beside = temporaryName?.(exchange) ?? temporary?.(name) ?? join(dirname(name), `.${randomUUID()}.tmp`);
      await writeWhole(area.inside(beside), target, content);
    }
    if (options.keepLastModified) await keepTime(target, message.headers.get("CamelFileLastModified"));
    if (done !== undefined) await writeFile(area.inside(done(namedExchange(exchange, area, target))), "");
    if (options.checksumFileAlgorithm !== undefined) {
      const digest = createHash(options.checksumFileAlgorithm).update(content).digest("hex");
      await writeFile(`${target}.${options.checksumFileAlgorithm}`, digest);
    }
    message.headers.set("CamelFileNameProduced", area.shown(target));
  };
}

/** Throws where there is no area: in a flow whose thread was not given one. */
export function rootOf({ files }: { readonly files: string | undefined }): string {
  if (files !== undefined) return files;
  throw new FlowException(
    "java.lang.IllegalStateException",
    "the flow has no directory of its own: write a file endpoint into one of its routes",
  );
}

/** Readers never see half a file. */
async function writeWhole(beside: string, target: string, content: Uint8Array): Promise<void> {
  try {
    await makeRoom(beside);
    await writeFile(beside, content);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

function nameOf(exchange: Exchange, named: ((exchange: Exchange) => string) | undefined, flatten: boolean): string {
  const { headers } = exchange.message;
  const own = headers.get("CamelOverruleFileName") ?? (named === undefined ? headers.get("CamelFileName") : undefined);
  const name = named?.(exchange) ?? (own === undefined || own === null ? "" : String(own));
  headers.delete("CamelOverruleFileName");
  const plain = name.trim() === "" ? exchange.id : name;
  return flatten ? basename(plain.replaceAll("\\", "/")) : plain;
}

function contentOf(exchange: Exchange, charset: string, appendChars: string | undefined): Uint8Array {
  const { body } = exchange.message;
  if (body instanceof Uint8Array && appendChars === undefined) return body;
  const text = String(convertTo(body ?? "", "java.lang.String"));
  return encode(`${text}${unescaped(appendChars ?? "")}`, charset);
}

function unescaped(text: string): string {
  return text.replaceAll("\\n", "\n").replaceAll("\\r", "\r").replaceAll("\\t", "\t");
}

async function keepTime(path: string, value: unknown): Promise<void> {
  const time = value instanceof Date ? value : typeof value === "number" ? new Date(value) : undefined;
  if (time !== undefined) await utimes(path, time, time);
}

/** For names that are made of the file's: `${file:name}`. */
function namedExchange(exchange: Exchange, area: FileArea, path: string): Exchange {
  const copy = exchange.copy();
  for (const [name, value] of fileHeaders(area, path, undefined)) copy.message.headers.set(name, value);
  return copy;
}

function taken(name: string, why: string): FlowException {
  return new FlowException(
    "org.apache.camel.component.file.GenericFileOperationFailedException",
    `the file '${name}' ${why}`,
  );
}
