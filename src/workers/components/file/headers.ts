/** What a message tells of its file (Camel: GenericFile.populateHeaders); paths begin at the flow's area, not at the machine's root. */
import type { Stats } from "node:fs";
import { basename, dirname } from "node:path";
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
