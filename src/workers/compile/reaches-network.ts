/** Whether endpoints that are known only when a message comes may open connections: their flow's threads then have the network. */
import { catalog } from "../catalog.ts";
import type { DynamicOptions } from "../engine/step.ts";

const literalScheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*)(?:[:?]|\s*$)/;

/** An expression that does not begin with a scheme may give any, unless allowedSchemes says which. */
export function reachesNetwork({ allowedSchemes, from }: DynamicOptions): boolean {
  const schemes = allowedSchemes?.split(",").map((name) => name.trim()) ?? literalSchemes(from);
  const asked = schemes ?? [...catalog.components.keys()];
  return asked.some((scheme) => catalog.components.get(scheme)?.network !== undefined);
}

/** The schemes of a text such as `direct:${header.to}` or `direct:a,seda:b`; undefined when one of its parts has none. */
function literalSchemes(from: DynamicOptions["from"]): string[] | undefined {
  if (from === undefined || (from.language !== "simple" && from.language !== "constant")) return undefined;
  const schemes = from.text.split(",").map((part) => literalScheme.exec(part)?.[1]);
  return schemes.every((scheme) => scheme !== undefined) ? schemes : undefined;
}
