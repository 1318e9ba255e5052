/** `onCompletion` among a route's own steps, where it is no step: it is for this route, in place of the document's. */
import { type Entry, type MapNode, type Node, type SeqNode, toCamelCase } from "./tree.ts";

/** Returns the onCompletions of a list of a route's steps, in their order; they stand anywhere in the list. */
export function completionsAmong(steps: Node | undefined): readonly Entry[] {
  if (steps?.kind !== "seq") return [];
  return steps.items.filter(isCompletion).flatMap(({ entries }) => entries);
}

/** Returns the list of steps without its onCompletions. */
export function withoutCompletions(steps: Node): Node {
  if (steps.kind !== "seq" || !steps.items.some(isCompletion)) return steps;
  return { ...steps, items: steps.items.filter((item) => !isCompletion(item)) } satisfies SeqNode;
}

function isCompletion(item: Node): item is MapNode {
  return item.kind === "map" && item.entries.length === 1 && toCamelCase(item.entries[0]?.key ?? "") === "onCompletion";
}
