/** The companion file of a flow, `<id>.flow.yaml`: its options as data, and edits that leave comments and all other lines alone. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { distance } from "fastest-levenshtein";
import { type Document, isMap, LineCounter, parseDocument } from "yaml";
import { stringify } from "../../../src/client/json.ts";
import type { Options } from "../../shared/wire.ts";
import { messageOf, Refused } from "../refused.ts";

/** The fields of a PUT of a flow beside `yaml`, as the runtime takes them. */
export const optionNames = [
  "description",
  "category",
  "params",
  "limits",
  "isolation",
  "threads",
  "record",
  "keepFailed",
  "logHandled",
  "policy",
  "tests",
] as const;

const mostAliases = 50;
const format = { version: "1.2", schema: "core", uniqueKeys: true, intAsBigInt: true } as const;

export interface Companion {
  readonly options: Options;
  /** What is wrong with the file, with its place; it has no options then. */
  readonly problem?: string;
}

export function readCompanion(name: string, text: string | undefined): Companion {
  if (text === undefined) return { options: {} };
  const lines = new LineCounter();
  const document = parseDocument(text, { ...format, prettyErrors: false, logLevel: "error", lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    return { options: {}, problem: `${name}:${line}:${col}: ${error.message}` };
  }
  try {
    const value = plainNumbers(document.toJS({ maxAliasCount: mostAliases }) ?? {});
    if (!isObject(value)) return { options: {}, problem: `${name}:1:1: it must be a map of the flow's options` };
    return { options: value };
  } catch (thrown) {
    return { options: {}, problem: `${name}: ${messageOf(thrown)}` };
  }
}

/** Returns the text of the companion with these options; undefined: none is needed. Throws Refused. */
export function writeCompanion(name: string, before: string | undefined, options: Options): string | undefined {
  refuseUnknown(options);
  const { options: old, problem } = readCompanion(name, before);
  if (problem !== undefined)
    throw new Refused(422, `${problem}. Mend the file, or delete it, before its options are changed here`);
  const wanted = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  if (same(old, wanted)) return before;
  if (Object.keys(wanted).length === 0) return commentsOf(before ?? "");
  const document: Document = parseDocument(before ?? "", format);
  if (!isMap(document.contents)) document.contents = document.createNode({});
  try {
    change(document, [], old, wanted);
    return document.toString({ lineWidth: 0 });
  } catch (error) {
    throw new Refused(422, `${name} cannot be changed here (${messageOf(error)}): edit the file itself`);
  }
}

/** SHA-256 of the options, whatever the order of their names. */
export function hashOfOptions(options: Options): string {
  return createHash("sha256")
    .update(stringify(sorted(options)))
    .digest("hex");
}

/** The lines of a text that are comments: what stays of a companion without options. */
function commentsOf(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => /^\s*#/.test(line));
  return lines.length === 0 ? undefined : `${lines.join("\n")}\n`;
}

function refuseUnknown(options: Options): void {
  for (const name of Object.keys(options)) {
    if (optionNames.some((known) => known === name)) continue;
    const near = optionNames.find((known) => distance(known.toLowerCase(), name.toLowerCase()) <= 2);
    const hint = near === undefined ? `; there are ${optionNames.join(", ")}` : ` (did you mean '${near}'?)`;
    throw new Refused(422, `there is no option '${name.slice(0, 100)}'${hint}`);
  }
}

/** Sets and deletes what differs; maps are changed entry by entry, so that the comments in them stay. */
function change(document: Document, path: readonly string[], old: Options, wanted: Options): void {
  for (const name of Object.keys(old)) if (!Object.hasOwn(wanted, name)) document.deleteIn([...path, name]);
  for (const [name, value] of Object.entries(wanted)) {
    const [here, before] = [[...path, name], old[name]];
    if (Object.hasOwn(old, name) && same(before, value)) continue;
    const node = document.getIn(here, true);
    if (isObject(before) && isObject(value) && isMap(node) && Object.keys(value).length > 0)
      change(document, here, before, value);
    else document.setIn(here, document.createNode(value));
  }
}

/** Whether a value is still the one of the file. A page has no whole numbers beyond 2^53: it returns the nearest one. */
function same(old: unknown, value: unknown): boolean {
  if (typeof old === "bigint") return old === value || String(Number(old)) === String(value);
  if (Array.isArray(old))
    return Array.isArray(value) && old.length === value.length && old.every((one, index) => same(one, value[index]));
  if (!isObject(old)) return isDeepStrictEqual(old, value);
  if (!isObject(value)) return false;
  const names = Object.keys(old);
  return (
    names.length === Object.keys(value).length &&
    names.every((name) => Object.hasOwn(value, name) && same(old[name], value[name]))
  );
}

/** Whole numbers up to 2^53 become numbers; longer ones keep every digit. */
function plainNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainNumbers(one)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
