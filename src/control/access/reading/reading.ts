/** What the parts of a policy document share while they are read: warnings with their places, and fields that are known or not. */
import type { PolicyWarning } from "../policy.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Fields that say nothing about who may call: they may stand at every level. */
const remarks: ReadonlySet<string> = new Set(["description", "comment", "labels"]);
/** So many are kept of one document. */
const maxWarnings = 100;
/** Entries of any one list, or members of any one object, of a policy. */
const maxEntries = 1000;
/** Characters of any one text of a policy. */
const maxText = 2048;

export class Reading {
  readonly #warnings: PolicyWarning[] = [];
  #more = 0;

  get warnings(): readonly PolicyWarning[] {
    if (this.#more === 0) return this.#warnings;
    return [...this.#warnings, { code: "more_warnings", message: `${this.#more} more warnings are not shown` }];
  }

  warn(code: string, pointer: string, message: string): void {
    if (this.#warnings.length >= maxWarnings) this.#more += 1;
    else this.#warnings.push({ code, message: `${pointer === "" ? "the policy" : pointer}: ${message}`, pointer });
  }

  /** Whether an object has known fields only; a warning for each other one, which says what follows from it. */
  allKnown(fields: Fields, pointer: string, known: readonly string[], effect: string): boolean {
    const unknown = Object.keys(fields).filter((name) => !known.includes(name) && !remarks.has(name));
    for (const name of unknown) {
      const have = `known here are ${known.join(", ")}`;
      this.warn("unknown_field", place(pointer, name), `this field is not known (${have}): ${effect}`);
    }
    return unknown.length === 0;
  }

  bad(pointer: string, message: string): undefined {
    this.warn("bad_value", pointer, message);
  }

  /** A list of texts, or one text; undefined, and a warning, for anything else. */
  texts(value: unknown, pointer: string, least = 1): readonly string[] | undefined {
    const list = typeof value === "string" ? [value] : value;
    if (Array.isArray(list) && list.length >= least && list.length <= maxEntries && list.every(isText)) return list;
    return this.bad(pointer, `a list of ${least} to ${maxEntries} texts is expected`);
  }

  text(value: unknown, pointer: string): string | undefined {
    return isText(value) ? value : this.bad(pointer, `a text of 1 to ${maxText} characters is expected`);
  }

  /** A whole number within bounds. */
  count(value: unknown, pointer: string, least: number, most: number): number | undefined {
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.bad(pointer, `a whole number from ${least} to ${most} is expected`);
  }

  /** Name and value of each member of an object, or of each item of a list (name: ""), with its place; undefined and a warning else. */
  entries(value: unknown, pointer: string): readonly Entry[] | undefined {
    const entries = Array.isArray(value)
      ? value.map((item, i) => ({ name: "", value: item, pointer: place(pointer, String(i)) }))
      : isFields(value)
        ? Object.entries(value).map(([name, item]) => ({ name, value: item, pointer: place(pointer, name) }))
        : undefined;
    if (entries !== undefined && entries.length <= maxEntries) return entries;
    return this.bad(pointer, `an object or a list with at most ${maxEntries} entries is expected`);
  }
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
  readonly pointer: string;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field's own value; not what every object has (`constructor`). */
export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** RFC 6901: `~` and `/` inside of names are escaped. */
export function place(pointer: string, name: string): string {
  return `${pointer}/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxText;
}
