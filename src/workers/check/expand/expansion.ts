/** What the expansions of one flow share: names for the routes that they make, and a bound on how much they make. */
import type { BeanModel } from "../../../shared/flow-model.ts";
import { idProblem } from "../../../shared/ids.ts";
import type { Locals } from "../placeholders.ts";
import type { Report } from "../report.ts";
import { entryOf, type MapNode, type Node, toCamelCase, type Where } from "../tree.ts";
import { scalarText, sizeOf } from "./nodes.ts";

/** Values of a document that templates, rest services and kamelets together may become. */
const maxNodes = 100_000;
const maxRoutes = 2_000;

export class Expansion {
  readonly flowId: string;
  readonly report: Report;
  /** What `beans` define, in the flow and in the templates that it uses. */
  readonly beans: BeanModel[] = [];
  readonly #fill: (part: Node, locals: Locals) => Node | undefined;
  readonly #ids = new Set<string>();
  /** The last number that each made id has been given. */
  readonly #counts = new Map<string, number>();
  #nodes = 0;
  #routes = 0;
  #full = false;

  constructor(flowId: string, report: Report, fill: (part: Node, locals: Locals) => Node | undefined) {
    this.flowId = flowId;
    this.report = report;
    this.#fill = fill;
  }

  /** Ids that the document gives its routes: made ones step aside. */
  noteIds(items: readonly Node[]): void {
    for (const item of items) {
      if (item.kind !== "map") continue;
      const route = item.entries.find(({ key }) => toCamelCase(key) === "route")?.value ?? item;
      const id = route.kind === "map" ? scalarText(entryOf(route, "id")?.value) : undefined;
      if (id !== undefined) this.#ids.add(id.toLowerCase());
    }
  }

  /** An id made of these words that no other route of the flow has; ids are unique over all flows, so begin with one of the user's. */
  routeId(...words: readonly (string | undefined)[]): string {
    const joined = words
      .map((word) =>
        (word ?? "")
          .slice(0, 200)
          .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
          .replaceAll(/\.{2,}/g, "."),
      )
      .map((word) => word.replaceAll(/^[._-]+|[._-]+$/g, ""))
      .filter((word) => word !== "")
      .join("-")
      .replaceAll(/-{2,}/g, "-")
      .slice(0, 120)
      .replace(/[._-]+$/, "");
    const base = idProblem(joined) === undefined ? joined : `route-${joined}`.slice(0, 120);
    let id = base;
    let count = this.#counts.get(base.toLowerCase()) ?? 1;
    for (; this.#ids.has(id.toLowerCase()); id = `${base}-${count}`) count += 1;
    this.#counts.set(base.toLowerCase(), count);
    this.#ids.add(id.toLowerCase());
    return id;
  }

  /** A copy of a template's part; undefined when its placeholders leave nothing, or when there is no room for it. */
  instance(part: Node, locals: Locals, where: Where): Node | undefined {
    if (this.#full || !this.#room(sizeOf(part), where)) return undefined;
    return this.#fill(part, locals);
  }

  /** false: the flow has become too large, which is reported once. */
  #room(nodes: number, where: Where): boolean {
    this.#nodes += nodes;
    this.#routes += 1;
    if (this.#nodes <= maxNodes && this.#routes <= maxRoutes) return true;
    if (!this.#full) {
      const message = `templates, rest services and kamelets make more than ${maxRoutes} routes or ${maxNodes} values of this flow`;
      this.report.error("expansion_size", message, where);
    }
    this.#full = true;
    return false;
  }
}

/** A route as an item of a flow. */
export function routeItem(route: MapNode): MapNode {
  const { at, pointer } = route;
  return { kind: "map", entries: [{ key: "route", keyAt: at, value: route }], dropped: [], at, pointer };
}
