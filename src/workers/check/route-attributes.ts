/** Attributes of `route` that this runtime does not act on: which values are harmless, and why the others are refused. */
import { camelRouteAttributes } from "./camel-names.ts";
import type { Context } from "./context.ts";
import { didYouMean, listed } from "./suggest.ts";
import { atKey, type Entry, toCamelCase } from "./tree.ts";

/** Attributes that the route itself reads. */
export const ownRouteAttributes: ReadonlySet<string> = new Set(
  "id description note autoStartup nodePrefixId precondition from steps".split(" "),
);

/** Values that say what is the case anyway. */
const harmless: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["streamCache", new Set(["true"])], // A body is in memory and can be read again.
  ["streamCaching", new Set(["true"])],
  ["messageHistory", new Set(["true"])], // Run records hold each step.
  ["trace", new Set(["false"])],
  ["logMask", new Set(["false"])],
  ["shutdownRoute", new Set(["Default"])],
  ["shutdownRunningTask", new Set(["CompleteCurrentTaskOnly"])], // What has begun is finished (drain).
]);

const instead: ReadonlyMap<string, string> = new Map([
  ["trace", "watch the trace stream (GET /_api/trace/stream)"],
  ["messageHistory", "set the flow's limit 'record' to errors or off"],
  ["startupOrder", "leave it out: the routes of a flow start together, before the first message"],
  ["group", "leave it out: the routes of a flow are started and stopped together"],
]);

/** Reports an attribute that has no effect here and would have had one in Camel, or that nobody knows. */
export function checkRouteAttribute(entry: Entry, { report, scope }: Context): void {
  const name = toCamelCase(entry.key);
  const { value } = entry;
  if (value.kind === "scalar" && (value.text === null || harmless.get(name)?.has(value.text))) return;
  if (camelRouteAttributes.includes(name)) {
    const advice = instead.get(name) ?? "leave it out";
    const message = `route attribute '${name}' is part of Camel's YAML DSL; this runtime does not have it yet: ${advice}`;
    report.error("not_yet", message, atKey(entry), scope);
    return;
  }
  const all = [...ownRouteAttributes];
  const message = `a route has no attribute '${entry.key}'${didYouMean(entry.key, all)}; it has: ${listed(all)}`;
  report.error("unknown_option", message, atKey(entry), scope);
}
