/** The parts of a flow that can be selected, each by a key: what the canvas draws, the form shows and edits move. */
import type { Branch, FlowTree, OtherNode, Path, Range, RouteNode, StepNode } from "../../model/index.ts";

export type ItemKind = "route" | "trigger" | "step" | "branch" | "other" | "operation";

export interface Item {
  readonly key: string;
  readonly kind: ItemKind;
  /** Of a step or an element such as `onException`; `from`; the kind of a branch; `route`; the verb of an operation. */
  readonly name: string;
  readonly id?: string | undefined;
  /** Its definition, where its options are. */
  readonly path: Path;
  /** What is removed, moved and copied with it. */
  readonly itemPath: Path;
  readonly range: Range;
  /** The item that holds it. */
  readonly parent: string | undefined;
  /** The list that a step goes into which is added inside of it, at its end. */
  readonly stepsPath?: Path | undefined;
  /** How many steps that list has. */
  readonly count?: number | undefined;
}

export interface ItemIndex {
  /** In the order of the text. */
  readonly items: ReadonlyMap<string, Item>;
  /** Keys by `kind:offset` of the beginning. */
  readonly byStart: ReadonlyMap<string, string>;
  /** Keys by the id of the item. */
  readonly byId: ReadonlyMap<string, string>;
}

/** The key of an item: its path for most, the place in its list for a step. */
export function keyOf(path: Path): string {
  return path.join("/");
}

export function indexTree({ routes, others }: FlowTree): ItemIndex {
  const items = new Map<string, Item>();
  const add = (item: Omit<Item, "key">, at: Path): string => {
    const key = keyOf(at);
    items.set(key, { key, ...item });
    return key;
  };
  const addSteps = (steps: readonly StepNode[], parent: string): void => {
    for (const { name, id, path, itemPath, range, branches } of steps) {
      const own = branches.find(({ kind }) => kind === "steps");
      const into = own === undefined ? {} : { stepsPath: own.stepsPath, count: own.steps.length };
      addBranches(branches, add({ kind: "step", name, id, path, itemPath, range, parent, ...into }, itemPath), range);
    }
  };
  const addBranches = (branches: readonly Branch[], parent: string, range: Range): void => {
    for (const { kind, id, path, stepsPath, steps } of branches) {
      if (kind === "steps") {
        addSteps(steps, parent);
        continue;
      }
      const from = steps[0]?.range.from ?? range.from;
      const at = { from, to: steps.at(-1)?.range.to ?? from };
      const into = { stepsPath, count: steps.length };
      addSteps(steps, add({ kind: "branch", name: kind, id, path, itemPath: path, range: at, parent, ...into }, path));
    }
  };
  const addRoute = ({ id, path, itemPath, range, trigger, stepsPath, steps }: RouteNode, parent?: string): void => {
    const into = { stepsPath, count: steps.length };
    // A template whose route is not under a key of its own is one item with it.
    const isOwn = keyOf(path) !== parent;
    const key = isOwn
      ? add({ kind: "route", name: "route", id, path, itemPath, range, parent, ...into }, path)
      : parent;
    if (trigger !== undefined) {
      const { name, id: own, path: at, range: place } = trigger;
      add({ kind: "trigger", name, id: own, path: at, itemPath: at, range: place, parent: key, ...into }, at);
    }
    addSteps(steps, key);
  };
  const addOther = (other: OtherNode, parent?: string): void => {
    const { name, id, path, itemPath, range, branches, route, operations = [], children = [] } = other;
    const own = branches.find(({ kind }) => kind === "steps");
    const into = own === undefined ? {} : { stepsPath: own.stepsPath, count: own.steps.length };
    const key = add({ kind: "other", name, id, path, itemPath, range, parent, ...into }, path);
    for (const { verb, path: at, id: routeId } of operations) {
      add({ kind: "operation", name: verb, id: routeId, path: at, itemPath: at, range, parent: key }, at);
    }
    addBranches(branches, key, range);
    if (route !== undefined) addRoute(route, key);
    for (const child of children) addOther(child, key);
  };
  for (const other of others) addOther(other);
  for (const route of routes) addRoute(route);
  return indexItems(items);
}

function indexItems(items: ReadonlyMap<string, Item>): ItemIndex {
  const byStart = new Map<string, string>();
  const byId = new Map<string, string>();
  for (const { key, kind, range, id } of items.values()) {
    byStart.set(`${kind}:${range.from}`, key);
    if (id !== undefined) byId.set(id, key);
  }
  return { items, byStart, byId };
}
