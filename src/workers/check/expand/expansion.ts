/** The state that the expansions of one flow share: names of generated routes, and a bound on their size. */
import type { BeanModel } from "../../../shared/flow-model.ts";
import { idProblem } from "../../../shared/ids.ts";
import type { Locals } from "../placeholders.ts";
import type { Report } from "../report.ts";
import { entryOf, type MapNode, type Node, toCamelCase, type Where } from "../tree.ts";
import { scalarText, sizeOf } from "./nodes.ts";

/** The most nodes that templates, rest services and kamelets of a document may generate together. */
const maxNodes = 100_000;
const maxRoutes = 2_000;

export class Expansion {
  readonly flowId: string;
  readonly report: Report;
  /** The beans that `beans` defines, in the flow and in the templates that it uses. */
  readonly beans: BeanModel[] = [];
  readonly #fill: (part: Node, locals: Locals) => Node | undefined;
  readonly #ids = new Set<string>();
  /** The last number of each generated id. */
  readonly #counts = new Map<string, number>();
  #nodes = 0;
  #routes = 0;
  #full = false;

  constructor(flowId: string, report: Report, fill: (part: Node, locals: Locals) => Node | undefined) {
    this.flowId = flowId;
    this.report = report;
    this.#fill = fill;
  }

  /** Records the route ids of the document, which generated ids must not repeat. */
  noteIds(items: readonly Node[]): void {
    for (const item of items) {
      if (item.kind !== "map") continue;
      const route = item.entries.find(({ key }) => toCamelCase(key) === "route")?.value ?? item;
      const id = route.kind === "map" ? scalarText(entryOf(route, "id")?.value) : undefined;
      if (id !== undefined) this.#ids.add(id.toLowerCase());
    }
  }

  /**
   * Makes an id of these words that no other route of the flow has. Ids are unique over all flows, so it must begin
   * with a word of the user.
   */
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

  /** Copies a part of a template; undefined if its placeholders leave nothing, or if the bound is reached. */
  instance(part: Node, locals: Locals, where: Where): Node | undefined {
    if (this.#full || !this.#room(sizeOf(part), where)) return undefined;
    return this.#fill(part, locals);
  }

  /** Returns false when the flow has become too large, which is reported once. */
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

/** Makes an item of a flow from a route. */
export function routeItem(route: MapNode): MapNode {
  const { at, pointer } = route;
  return { kind: "map", entries: [{ key: "route", keyAt: at, value: route }], dropped: [], at, pointer };
}
