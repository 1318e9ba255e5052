/** What endpoints that are known only when a message comes may need of their flow's threads. */
import { catalog } from "../catalog.ts";
import type { DynamicOptions } from "../engine/step.ts";

const literalScheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*)(?:[:?]|\s*$)/;

/** Whether they may open connections. An expression that does not begin with a scheme may give any, unless allowedSchemes says which. */
export function reachesNetwork(options: DynamicOptions): boolean {
  const asked = namedSchemes(options) ?? [...catalog.components.keys()];
  return asked.some((scheme) => catalog.components.get(scheme)?.network !== undefined);
}

/** Whether they are files by their text: who may give any URI at all is given no files for it. */
export function namesFiles(options: DynamicOptions): boolean {
  return (namedSchemes(options) ?? []).some((scheme) => catalog.components.get(scheme)?.files === true);
}

/** Whether they may be servers, files or, of `direct:`, other flows. A whole URI says itself which route of which flow it calls. */
export function mayLeaveFlow(options: DynamicOptions): boolean {
  const open = options.from === undefined || !isWhole(options.from);
  return reachesNetwork(options) || namesFiles(options) || (open && namedSchemes(options)?.includes("direct") === true);
}

function isWhole({ language, text }: NonNullable<DynamicOptions["from"]>): boolean {
  return language === "constant" || (language === "simple" && !/[$]\{|[$]simple\{/.test(text));
}

function namedSchemes({ allowedSchemes, from }: DynamicOptions): readonly string[] | undefined {
  return allowedSchemes?.split(",").map((name) => name.trim()) ?? literalSchemes(from);
}

/** The schemes of a text such as `direct:${header.to}` or `direct:a,seda:b`; undefined when one of its parts has none. */
function literalSchemes(from: DynamicOptions["from"]): string[] | undefined {
  if (from === undefined || (from.language !== "simple" && from.language !== "constant")) return undefined;
  const schemes = from.text.split(",").map((part) => literalScheme.exec(part)?.[1]);
  return schemes.every((scheme) => scheme !== undefined) ? schemes : undefined;
}
