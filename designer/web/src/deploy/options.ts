/** A flow's options: what its companion file has beside the YAML, and what a runtime has of it. */
import type { Options } from "../../../shared/wire.ts";

/** The options of a PUT that a deployment sets all of: one that the companion does not have is removed. */
const optionNames = [
  "params",
  "limits",
  "isolation",
  "threads",
  "record",
  "keepFailed",
  "logHandled",
  "description",
  "category",
  "tests",
] as const;

/** Settings that may stand among `limits`, and mean the option of the same name. */
const settingsAmongLimits = ["isolation", "threads", "record", "logHandled"];

/** Gives settings among the limits options of their own, as a runtime reports them. */
function lifted<Document extends object>(document: Document): Document {
  const { limits } = document as { readonly limits?: unknown };
  if (typeof limits !== "object" || limits === null) return document;
  const entries = Object.entries(limits);
  const isSetting = ([name]: readonly [string, unknown]): boolean => settingsAmongLimits.includes(name);
  const rest = Object.fromEntries(entries.filter((entry) => !isSetting(entry)));
  return { ...Object.fromEntries(entries.filter(isSetting)), ...document, limits: rest };
}

/** The options that are set in a document of the runtime, such as a flow or a revision. */
export function optionsOf(document: object): Options {
  const fields = new Map(Object.entries(lifted(document)));
  return Object.fromEntries(optionNames.flatMap((name) => (isSet(fields.get(name)) ? [[name, fields.get(name)]] : [])));
}

/**
 * The options to deploy, null for those that are not set. The access policy goes along only when the companion has one, or
 * null for none: to leave it out must not open a flow.
 */
export function optionsToSend(options: Options): Record<string, unknown> {
  const own = lifted(options);
  const sent = Object.fromEntries(optionNames.map((name) => [name, isSet(own[name]) ? own[name] : null]));
  return "policy" in options ? { ...sent, policy: options["policy"] } : sent;
}

/** For comparison and for the eye, the access policy included: names in order, a line a value; empty when there are none. */
export function optionsText(options: Options): string {
  const policy = options["policy"];
  const set = { ...optionsOf(options), ...(isSet(policy) && { policy }) };
  return Object.keys(set).length === 0 ? "" : `${JSON.stringify(ordered(set), wordOf, 2)}\n`;
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, ordered((value as Record<string, unknown>)[name])]));
}

/** Whole numbers beyond 2^53 are bigints. */
function wordOf(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
