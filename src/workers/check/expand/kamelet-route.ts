/** Makes the route for a use of a kamelet: its template with the use's values, connected to the route that uses it. */
import { entryOf, type MapNode, type Node } from "../tree.ts";
import { templateBeans } from "./beans.ts";
import type { Expansion } from "./expansion.ts";
import { joinEnds, type Role, takesMessages } from "./kamelet-ends.ts";
import type { KameletUse } from "./kamelet-use.ts";
import { mapAt, movedTo, withoutEntries } from "./nodes.ts";
import { withDefaults } from "./templates.ts";

export interface Ends {
  /** The id of the route. */
  readonly id: string;
  /** The `direct:` name that connects the route and its user. */
  readonly direct: string;
  readonly role: Role;
  /** Attributes of the user's route that also apply to this one. */
  readonly along?: Readonly<Record<string, Node | undefined>>;
}

/** Returns undefined after a problem, which is reported. */
export function kameletRoute(use: KameletUse, ends: Ends, expansion: Expansion): MapNode | undefined {
  const { kamelet, where, noErrorHandler } = use;
  const { id, direct, role, along } = ends;
  const template = kamelet.own ? kamelet.template : (movedTo(kamelet.template, where) as MapNode);
  const { routeTemplate } = kamelet;
  const given = routeTemplate && withDefaults(routeTemplate.parameters, use.locals, where, expansion);
  if (routeTemplate !== undefined && given === undefined) return undefined;
  const locals = templateBeans(template, given ?? use.locals, id, expansion);
  const body = entryOf(template, "route")?.value ?? withoutEntries(template, ["beans"]);
  const filled = expansion.instance(body, locals, where);
  if (filled?.kind !== "map") return undefined;
  const takes = takesMessages(filled);
  if (takes !== (role !== "source")) {
    const [code, is, place] = takes
      ? ["no_consumer", "takes messages", "'to'"]
      : ["no_producer", "is a source", "'from'"];
    expansion.report.error(code as string, `kamelet '${kamelet.name}' ${is}: it stands in ${place}`, where);
    return undefined;
  }
  const kept = withoutEntries(joinEnds(filled, direct, role), ["id", "nodePrefixId"]);
  const head = mapAt(where, {
    id,
    errorHandler: noErrorHandler ? mapAt(where, { noErrorHandler: mapAt(where, {}) }) : undefined,
    nodePrefixId: kamelet.own ? `${id}-` : undefined,
    ...along,
  });
  return { ...kept, at: where.at, pointer: where.pointer, entries: [...head.entries, ...kept.entries] };
}
