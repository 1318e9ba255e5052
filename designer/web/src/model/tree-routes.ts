/** Reads routes. */
import { isMap } from "yaml";
import { addressOf } from "./links.ts";
import { keyText } from "./names.ts";
import type { RouteNode, TriggerNode } from "./nodes.ts";
import { childOf, type Place } from "./place.ts";
import { type Reader, rangeOf, readSteps, shallow, text } from "./tree-steps.ts";

/** Reads the route whose attributes are at a place; `item` is what is removed with it. */
export function readRoute(reader: Reader, place: Place, item: Place): RouteNode {
  const { document, flow } = reader;
  const from = isMap(place.node) ? childOf(document, place, "from") : undefined;
  const inside = from !== undefined && isMap(from.node) ? childOf(document, from, "steps") : undefined;
  const beside = isMap(place.node) ? childOf(document, place, "steps") : undefined;
  const list = inside ?? beside;
  const stepsPath = list?.path ?? [...(from?.path ?? place.path), "steps"];
  const id = attribute(reader, place, "id");
  const description = attribute(reader, place, "description");
  return {
    ...(id !== undefined && { id }),
    ...(description !== undefined && { description }),
    path: place.path,
    itemPath: item.path,
    range: rangeOf(flow, item),
    ...(from !== undefined && { trigger: triggerOf(reader, from) }),
    stepsPath,
    steps: readSteps(reader, list),
  };
}

function triggerOf(reader: Reader, from: Place): TriggerNode {
  const value = shallow(reader, from, "from");
  const id = text(value["id"]);
  const description = text(value["description"]);
  return {
    name: "from",
    ...(id !== undefined && { id }),
    ...(description !== undefined && { description }),
    uri: addressOf(text(value["uri"]), value["parameters"]) ?? "",
    path: from.path,
    range: rangeOf(reader.flow, from),
  };
}

export function attribute({ document }: Reader, place: Place, name: string): string | undefined {
  if (!isMap(place.node) || !place.node.items.some(({ key }) => keyText(key) === name)) return undefined;
  return text((childOf(document, place, name)?.node as { value?: unknown } | null | undefined)?.value);
}
