/** The top-level elements that a flow may have. */
import { catalog } from "../src/workers/catalog.ts";

/** Elements that are expanded into routes before these are read (src/workers/check/expand). */
export const expandedElements = [
  "beans",
  "from",
  "rest",
  "restConfiguration",
  "route",
  "routeConfiguration",
  "routeTemplate",
  "templatedRoute",
];

export const takenElements: ReadonlySet<string> = new Set([...catalog.elements.keys(), ...expandedElements]);
