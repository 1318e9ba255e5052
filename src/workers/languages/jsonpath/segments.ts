/** How the segments of a path find nodes: one after another, and filters as in Jayway. */
import { isPlainObject } from "../../engine/convert.ts";
import type { JsonP3 } from "./whole-numbers.ts";

/**
 * Replaces the library's segments. They make all children of a node at once (a list may have millions), and do not
 * count the nodes that `..` visits.
 */
export function walkLazily({ jsonpath }: JsonP3, visited: () => void): void {
  const { FilterSelector } = jsonpath.selectors;
  const resolve = (selector: Selector, node: JSONPathNode, descends: boolean): Iterable<JSONPathNode> =>
    (descends || !Array.isArray(node.value)) && selector instanceof FilterSelector
      ? filtered(selector, node)
      : selector.lazyResolve(node);
  const [child, descendant] = jsonpath.compile("$.a..b").segments as unknown as readonly [object, object];
  Object.getPrototypeOf(child).lazyResolve = function* (this: Segment, nodes: Iterable<JSONPathNode>) {
    for (const node of nodes) for (const selector of this.selectors) yield* resolve(selector, node, false);
  };
  Object.getPrototypeOf(descendant).lazyResolve = function* (this: Descending, nodes: Iterable<JSONPathNode>) {
    for (const node of nodes) {
      for (const one of this.visit(node)) {
        visited();
        for (const selector of this.selectors) yield* resolve(selector, one, true);
      }
    }
  };
}

/**
 * Tests an object itself, and an array's elements, where RFC 9535 always tests the values inside. `..` tests each
 * object once: not as an element of its array, too (Jayway: PredicatePathToken, ScanPathToken).
 */
function* filtered(selector: FilterSelector, node: JSONPathNode): Generator<JSONPathNode> {
  const { environment, expression } = selector;
  const { value, root } = node;
  const passes = (): boolean =>
    Boolean(expression.evaluate({ environment, currentValue: value, rootValue: root, lazy: true }));
  if (isPlainObject(value)) {
    if (passes()) yield node;
  } else if (passes()) yield* selector.lazyResolve(node);
}

type JSONPathNode = InstanceType<JsonP3["jsonpath"]["JSONPathNode"]>;

type FilterSelector = InstanceType<JsonP3["jsonpath"]["selectors"]["FilterSelector"]>;

interface Selector {
  lazyResolve(node: JSONPathNode): Iterable<JSONPathNode>;
}

interface Segment {
  readonly selectors: readonly Selector[];
}

export interface Descending extends Segment {
  visit(node: JSONPathNode): Iterable<JSONPathNode>;
}
