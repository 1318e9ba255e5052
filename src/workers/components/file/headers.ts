/**
 * The headers of a file's message, and the names that endpoints make from them (Camel: GenericFile.populateHeaders,
 * GenericFileEndpoint). Paths are relative to the flow's area, not to the machine's root.
 */

import { basename, dirname } from "node:path";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { asOwnName, type FileArea } from "./area.ts";
import type { FileStats } from "./file-system.ts";

export interface FoundFile {
  /** The path of the machine. */
  readonly path: string;
  /**
   * The value of `${file:name}`: relative to the endpoint's directory, or the last part alone after the file has been
   * moved.
   */
  readonly name: string;
  readonly stats: Pick<FileStats, "size" | "mtimeMs">;
}

export function fileHeaders(
  area: FileArea,
  { path, name, stats }: FoundFile,
): readonly (readonly [name: string, value: unknown])[] {
  const relative = area.relative(path);
  const absolute = relative.startsWith("../");
  const root = absolute ? "/" : "";
  const shown = area.shown(path);
  const modified = Math.trunc(stats.mtimeMs);
  return [
    ["CamelFileName", name],
    ["CamelFileNameOnly", basename(path)],
    ["CamelFileNameConsumed", name],
    ["CamelFileAbsolute", absolute],
    ["CamelFileAbsolutePath", `/${shown}`],
    ["CamelFilePath", root + shown],
    ["CamelFileRelativePath", relative],
    ["CamelFileParent", root + area.shown(dirname(path))],
    ["CamelFileLength", stats.size],
    ["CamelFileLastModified", modified],
    ["CamelMessageTimestamp", modified],
  ];
}

/** A name in the file language: simple with the file's headers. */
export type Name = (exchange: Exchange) => string;
type Templates = Pick<EndpointContext, "template">;

export function nameOf(text: string | undefined, { template }: Templates): Name | undefined {
  if (text === undefined) return undefined;
  return text.includes("$") ? template(text) : () => text;
}

/**
 * `done` is a directory next to the file; `done/${file:name}.old` is a name (Camel: configureMoveOrPreMoveExpression).
 */
export function moveTarget(text: string | undefined, templates: Templates): Name | undefined {
  if (text === undefined || text.includes("${")) return nameOf(text, templates);
  const directory = text.replace(/[/\\]$/, "");
  const from = directory.startsWith("/") ? "" : "${file:parent}/";
  return nameOf(`${from}${directory}/\${file:onlyname}`, templates);
}

/**
 * Copies the exchange with the headers of this file only (Camel: GenericFile.bindToExchange), for a name that is made of them. Unlike in
 * Camel, a backslash in the file's own name is part of the name that is made.
 */
export function aboutFile(exchange: Exchange, area: FileArea, file: FoundFile): Exchange {
  const copy = exchange.copy();
  copy.exception = exchange.exception;
  const { headers } = copy.message;
  const old = [...headers.entries()].map(([name]) => name).filter((name) => /^camelfile/i.test(name));
  for (const name of old) headers.delete(name);
  for (const [name, value] of fileHeaders(area, file))
    headers.receive(name, typeof value === "string" ? asOwnName(value) : value);
  return copy;
}
