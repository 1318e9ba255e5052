/** The keys of `rest` and of its methods. */

import { didYouMean } from "../../../shared/suggest.ts";
import type { Report } from "../report.ts";
import { atKey, entryOf, type MapNode, type ScalarNode, toCamelCase } from "../tree.ts";
import { flag, forPeople, idle, list, type Parts, text } from "./parts.ts";
import { mediaParts, optionParts } from "./rest-options.ts";
import { paramParts } from "./rest-params.ts";

export const verbs = ["get", "post", "put", "patch", "delete", "head"];

const inDocument = "it is for API documents, which are not served";
const noClasses = "there are no Java classes, a JSON body becomes maps and lists";

const security = ["security", "securityDefinitions", "securityRequirements"];
const common: Parts = {
  ...forPeople,
  apiDocs: idle(inDocument),
  deprecated: idle(inDocument),
  tag: idle(inDocument),
  type: idle(noClasses),
  outType: idle(noClasses),
  responseMessage: idle(inDocument),
  param: list("What a request must have, may have, and has when it says nothing.", paramParts),
  streamCache: idle("a body is in memory and can always be read again"),
  id: text("Names the route that is made of it, unless `routeId` does."),
  path: text("The path behind the one around it, such as `/orders/{id}`; what stands in braces becomes a header."),
  uri: text("The old name of `path`."),
  disabled: flag("With `true` this part is as if it were not written."),
  ...mediaParts,
  ...optionParts,
};
const verbParts: Parts = {
  ...common,
  routeId: text("The id of the route that is made of it; made of the path without it."),
  to: {
    kind: "endpoint",
    words: "The address that is called with the request, such as `direct:order`. Each method needs one.",
  },
};
/** Values of a method take precedence over these. */
export const restParts: Parts = {
  ...common,
  ...Object.fromEntries(
    verbs.map((verb) => [verb, list(`Services for ${verb.toUpperCase()}, each with a path of its own.`, verbParts)]),
  ),
};
const verbKeys = Object.keys(verbParts);
const restKeys = Object.keys(restParts);

/** Returns false after an unknown key, which is reported. */
export function checkKeys(map: MapNode, owner: string, report: Report): boolean {
  const known = owner === "rest" ? restKeys : verbKeys;
  let good = true;
  for (const entry of map.entries) {
    const key = toCamelCase(entry.key);
    if (security.includes(key)) {
      const message = `'${entry.key}' of '${owner}' documents security, which nothing enforces: check credentials in the route`;
      report.warning("no_effect", message, atKey(entry));
    } else if (!known.includes(key)) {
      const inline = key === "route" || key === "steps";
      const hint = inline ? ": a method calls its route, as 'to: {uri: direct:name}'" : didYouMean(entry.key, known);
      report.error("unknown_option", `'${owner}' of rest has no '${entry.key}'${hint}`, atKey(entry));
      good = false;
    }
  }
  return good;
}

/** `uri` is the name in old versions of Camel. */
export function pathOf(map: MapNode): ScalarNode | undefined {
  const value = (entryOf(map, "path") ?? entryOf(map, "uri"))?.value;
  return value?.kind === "scalar" && value.text !== null ? value : undefined;
}
