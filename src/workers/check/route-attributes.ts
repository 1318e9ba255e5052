/** Attributes of `route` that this runtime ignores, or refuses with a reason. */

import { didYouMean, listed } from "../../shared/suggest.ts";
import { camelRouteAttributes } from "./camel-names.ts";
import type { Context } from "./context.ts";
import { atKey, type Entry, toCamelCase } from "./tree.ts";

/** Attributes that the route itself reads. */
export const ownRouteNames = [
  ...(["id", "description", "note", "autoStartup", "group", "nodePrefixId", "precondition"] as const),
  ...(["routeConfigurationId", "errorHandler", "from", "steps"] as const),
] as const;
export const ownRouteAttributes: ReadonlySet<string> = new Set(ownRouteNames);

/** Values that describe what the runtime always does; `*` for all values. */
const fulfilled: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["streamCache", new Set(["true"])], // A body is in memory and can be read again.
  ["streamCaching", new Set(["true"])],
  ["messageHistory", new Set(["true"])], // Run records hold each step.
  ["trace", new Set(["false"])],
  ["logMask", new Set(["true"])], // Secrets are masked in any case.
  ["shutdownRoute", new Set(["Default"])],
  ["shutdownRunningTask", new Set(["CompleteCurrentTaskOnly", "CompleteAllTasks"])], // Runs that have begun are finished (drain).
  ["kameletId", new Set(["*"])],
]);

/** Accepted with a warning, because they do not change what a route does. */
const noEffect: ReadonlyMap<string, string> = new Map([
  ["startupOrder", "the routes of a flow start together, before the first message"],
  ["streamCache", "a body is in memory and can always be read again"],
  ["streamCaching", "a body is in memory and can always be read again"],
  ["trace", "each run can be watched: GET /_api/trace/stream"],
  ["messageHistory", "the flow's limit 'record' says what is kept of a run"],
  ["logMask", "secrets are masked in any case"],
  ["shutdownRoute", "the routes of a flow end together, when what has begun is finished"],
]);

/** Why an attribute is accepted without a warning. */
const silent: ReadonlyMap<string, string> = new Map([
  ["shutdownRunningTask", "what has begun is finished before a route ends"],
  ["kameletId", "it says of which kamelet the route was made"],
]);

interface IdleAttribute {
  /** The accepted values; undefined: any. */
  readonly values: readonly string[] | undefined;
  readonly words: string;
}

/** Returns the attributes that are accepted without effect. */
export function idleRouteAttributes(): ReadonlyMap<string, IdleAttribute> {
  const names = [...fulfilled.keys(), ...noEffect.keys()];
  return new Map(
    names.map((name) => {
      const values = [...(fulfilled.get(name) ?? [])];
      const words = `No effect: ${noEffect.get(name) ?? silent.get(name)}.`;
      return [name, { values: noEffect.has(name) || values.includes("*") ? undefined : values, words }];
    }),
  );
}

const instead: ReadonlyMap<string, string> = new Map([
  ["delayer", "use step 'delay'"],
  ["errorHandlerRef", "write 'errorHandler' with the handler itself"],
  ["routePolicy", "there are no policy beans: leave it out"],
  ["routePolicyRef", "there are no policy beans: leave it out"],
  ["inputType", "there are no data types: use unmarshal, or validate"],
  ["outputType", "there are no data types: use marshal"],
]);

/** Reports an attribute that has an effect in Camel but none here, or that is unknown. */
export function checkRouteAttribute(entry: Entry, { report, scope }: Context): void {
  const name = toCamelCase(entry.key);
  const { value } = entry;
  if (value.kind === "scalar" && (value.text === null || isFulfilled(name, value.text))) return;
  const reason = noEffect.get(name);
  if (reason !== undefined && value.kind === "scalar") {
    report.warning("no_effect", `route attribute '${name}' has no effect: ${reason}`, atKey(entry), scope);
    return;
  }
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

function isFulfilled(name: string, value: string): boolean {
  const values = fulfilled.get(name);
  return values?.has("*") === true || values?.has(value) === true;
}
