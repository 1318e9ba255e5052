/** What may stand in `rest` and in its methods. */
import type { Report } from "../report.ts";
import { didYouMean } from "../suggest.ts";
import { atKey, entryOf, type MapNode, type ScalarNode, toCamelCase } from "../tree.ts";
import { mediaKeys, optionKeys } from "./rest-options.ts";

export const verbs = ["get", "post", "put", "patch", "delete", "head"];

/** Says something to people and to documents that are not served here; `param` is read elsewhere. */
const documentation =
  "description note apiDocs deprecated tag type outType responseMessage param streamCache id path uri disabled".split(
    " ",
  );
const security = ["security", "securityDefinitions", "securityRequirements"];
const common = [...documentation, ...mediaKeys, ...optionKeys];
const verbKeys = [...common, "routeId", "to"];
const restKeys = [...common, ...verbs];

/** false: a key is unknown, which is reported. */
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
      const hint = inline ? ": a method calls its route, as 'to: direct:name'" : didYouMean(entry.key, known);
      report.error("unknown_option", `'${owner}' of rest has no '${entry.key}'${hint}`, atKey(entry));
      good = false;
    }
  }
  return good;
}

/** `uri` is its name in old versions of Camel. */
export function pathOf(map: MapNode): ScalarNode | undefined {
  const value = (entryOf(map, "path") ?? entryOf(map, "uri"))?.value;
  return value?.kind === "scalar" && value.text !== null ? value : undefined;
}
