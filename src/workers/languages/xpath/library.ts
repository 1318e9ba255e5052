/** The only import of xpath: evaluates XPath 1.0 within a budget. */
import { exportsOf, LateModule } from "../../engine/late-module.ts";
import type { Budget } from "../budget.ts";
import type { DomNode } from "./document.ts";

/** A result: text, number, boolean or a set of nodes. */
export interface XPathValue {
  stringValue(): string;
  numberValue(): number;
  booleanValue(): boolean;
  /** Returns the nodes. Throws when the result is not a set of nodes. */
  nodeset(): { toArray(): unknown[] };
}

type Name = (name: string, namespace: string) => unknown;

export interface Evaluation {
  readonly node: DomNode;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly variables: Name;
  readonly functions: Name;
}

export interface ParsedXPath {
  evaluate(options: Evaluation): XPathValue;
}

type Steps = readonly unknown[];

interface NodeSet {
  nodes: unknown[];
  size: number;
  tree: unknown;
  addArray(nodes: readonly unknown[]): void;
  toArray(): unknown[];
  first(): unknown;
  stringValue(): string;
  number(): { numberValue(): number };
  numberValue(): number;
}

interface Library {
  parse(text: string): ParsedXPath;
  readonly PathExpr: { applySteps(steps: Steps, context: unknown, nodes: readonly unknown[]): unknown[] };
  readonly XNumber: new (text: string) => { numberValue(): number };
  readonly XNodeSet: { readonly prototype: NodeSet };
}

export interface XPathLibrary {
  /** Parses a text. Throws an error whose message names the fault. */
  parse(text: string): ParsedXPath;
  budgeted<T>(budget: Budget, evaluate: () => T): T;
}

export const xpathLibrary = new LateModule<XPathLibrary>(async () => {
  const library = exportsOf(await import("xpath")) as unknown as Library;
  return withBudget(library);
});

/** How many nodes are processed between two reads of the clock. */
const batch = 64;

/**
 * Limits the library. Its own lists of nodes repeat a node as often as a step finds it, so that each step may multiply
 * them, and sorting compares nodes by walking their siblings. Here lists of nodes are sets, sorted by numbers that
 * their document assigns.
 */
function withBudget(library: Library): XPathLibrary {
  const { PathExpr, XNodeSet, XNumber } = library;
  let budget: Budget | undefined;
  const { applySteps } = PathExpr;
  PathExpr.applySteps = (steps, context, nodes) => {
    budget?.checkTime();
    let current = nodes;
    for (const step of steps) {
      if (current.length === 1) {
        current = applySteps([step], context, current);
        continue;
      }
      const found = new Set<unknown>();
      for (let at = 0; at < current.length; at += batch) {
        budget?.checkTime();
        for (const one of applySteps([step], context, current.slice(at, at + batch))) found.add(one);
      }
      current = [...found];
    }
    return [...current];
  };
  XNodeSet.prototype.addArray = function (more) {
    this.nodes = [...new Set([...this.nodes, ...more])];
    this.size = this.nodes.length;
    this.tree = null;
  };
  // The library converts no node and an empty node to 0; both are NaN (XPath 1.0, 4.4).
  XNodeSet.prototype.number = function () {
    return new XNumber(this.stringValue());
  };
  XNodeSet.prototype.numberValue = function () {
    return this.number().numberValue();
  };
  XNodeSet.prototype.toArray = function () {
    return inDocumentOrder(this.nodes);
  };
  XNodeSet.prototype.first = function () {
    return inDocumentOrder(this.nodes)[0] ?? null;
  };
  return {
    parse: (text) => library.parse(text),
    budgeted(own, evaluate) {
      budget = own;
      try {
        return evaluate();
      } catch (error) {
        if (error instanceof RangeError) throw own.exceeded("is too deep or builds too much");
        throw error;
      } finally {
        budget = undefined;
      }
    },
  };
}

interface Tree {
  readonly parentNode?: Tree | null;
  readonly ownerElement?: Tree | null;
  readonly firstChild?: Tree | null;
  readonly nextSibling?: Tree | null;
  readonly attributes?: ArrayLike<Tree> | null;
}

/** For each root, the places of the nodes below it. */
const places = new WeakMap<object, ReadonlyMap<object, number>>();

function inDocumentOrder(nodes: readonly unknown[]): unknown[] {
  const unique = [...new Set(nodes)] as Tree[];
  const [first] = unique;
  if (first === undefined || unique.length === 1) return unique;
  const root = rootOf(first);
  let known = places.get(root);
  if (known === undefined) {
    known = numbered(root);
    places.set(root, known);
  }
  // Nodes of namespaces belong to the library and have the place of their element.
  const placeOf = (node: Tree): number =>
    known.get(node) ?? known.get(node.ownerElement ?? node.parentNode ?? node) ?? 0;
  return unique.sort((a, b) => placeOf(a) - placeOf(b));
}

function rootOf(node: Tree): Tree {
  let root = node;
  for (let up = root.ownerElement ?? root.parentNode; up; up = up.ownerElement ?? up.parentNode) root = up;
  return root;
}

function numbered(root: Tree): ReadonlyMap<object, number> {
  const places = new Map<object, number>();
  for (let node: Tree | null = root; node !== null; node = next(node, root)) {
    places.set(node, places.size);
    for (const attribute of Array.from(node.attributes ?? [])) places.set(attribute, places.size);
  }
  return places;
}

function next(node: Tree, root: Tree): Tree | null {
  if (node.firstChild) return node.firstChild;
  for (let at: Tree | null = node; at && at !== root; at = at.parentNode ?? null)
    if (at.nextSibling) return at.nextSibling;
  return null;
}
