/** What a message tells of its file (Camel: GenericFileMessage.populateHeaders); paths begin at the flow's area, not at the machine's root. */
import type { Stats } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import type { FileArea } from "./area.ts";

export function fileHeaders(
  area: FileArea,
  path: string,
  stats: Stats | undefined,
): readonly (readonly [name: string, value: unknown])[] {
  const name = relative(area.path, path).split(sep).join("/");
  const shown = area.shown(path);
  return [
    ["CamelFileName", name],
    ["CamelFileNameOnly", basename(path)],
    ["CamelFileNameConsumed", name],
    ["CamelFileAbsolute", false],
    ["CamelFileAbsolutePath", `/${shown}`],
    ["CamelFilePath", shown],
    ["CamelFileRelativePath", name],
    ["CamelFileParent", area.shown(dirname(path))],
    ...(stats === undefined
      ? []
      : ([
          ["CamelFileLength", stats.size],
          ["CamelFileLastModified", Math.trunc(stats.mtimeMs)],
          ["CamelMessageTimestamp", Math.trunc(stats.mtimeMs)],
        ] as const)),
  ];
}
