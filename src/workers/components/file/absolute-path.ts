/** Warns of a directory that looks like one of the machine: Camel would use that one, and here it is the flow's own. */
import type { Advice } from "../../engine/component.ts";

/** `/data/in`, `C:\data\in`, `\\server\share` */
const absolute = /^(?:[A-Za-z]:)?[/\\]/;

export function absolutePathAdvice(path: string, flowId: string): Advice | undefined {
  const written = path.trim();
  if (!absolute.test(written)) return undefined;
  const inside = written.replaceAll("\\", "/").replace(/^\/+/, "").replace(/\/+$/, "");
  const directory = `FILES_DIR/${flowId}${inside === "" ? "" : `/${inside}`}`;
  const message =
    `'${written}' is no directory of the machine here: an endpoint reads and writes in the flow's own directory, where this is ` +
    `${directory} (FILES_DIR is DATA_DIR/files unless it is set). Put the files there, or mount the machine's directory at that ` +
    `place, and write 'file:${inside === "" ? "." : inside}'`;
  return { code: "absolute_path", message };
}
