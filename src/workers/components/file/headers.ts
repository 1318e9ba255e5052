/**
 * What a message says of its file, and the names that endpoints make of it (Camel: GenericFile.populateHeaders, GenericFileEndpoint). Paths
 * begin at the flow's area, not at the machine's root.
 */

import type { Stats } from "node:fs";
import { basename, dirname } from "node:path";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FileArea } from "./area.ts";

export interface FoundFile {
  /** Of the machine. */
  readonly path: string;
  /** As `${file:name}` says it: from the endpoint's directory on, or the last part alone once the file has been moved. */
  readonly name: string;
  readonly stats: Pick<Stats, "size" | "mtimeMs">;
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

/** A name in the file language, which is simple with the file's headers. */
export type Name = (exchange: Exchange) => string;
type Templates = Pick<EndpointContext, "template">;

export function nameOf(text: string | undefined, { template }: Templates): Name | undefined {
  if (text === undefined) return undefined;
  return text.includes("$") ? template(text) : () => text;
}

/** `done` is a directory beside the file; `done/${file:name}.old` is a name (Camel: configureMoveOrPreMoveExpression). */
export function moveTarget(text: string | undefined, templates: Templates): Name | undefined {
  if (text === undefined || text.includes("${")) return nameOf(text, templates);
  const directory = text.replace(/[/\\]$/, "");
  const from = directory.startsWith("/") ? "" : "${file:parent}/";
  return nameOf(`${from}${directory}/\${file:onlyname}`, templates);
}

/** A copy of the exchange that tells of this file and of no other (Camel: GenericFile.bindToExchange). */
export function aboutFile(exchange: Exchange, area: FileArea, file: FoundFile): Exchange {
  const copy = exchange.copy();
  copy.exception = exchange.exception;
  const { headers } = copy.message;
  const old = [...headers.entries()].map(([name]) => name).filter((name) => /^camelfile/i.test(name));
  for (const name of old) headers.delete(name);
  for (const [name, value] of fileHeaders(area, file)) headers.receive(name, value);
  return copy;
}
