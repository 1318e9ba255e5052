/** Sorts the fields of a form: what is open, what is folded, and what the find box leaves. */
import { firstWord, titleOf } from "../titles.ts";
import type { Field } from "./fields.ts";

export interface FieldGroup {
  /** Undefined: fields without a group. */
  readonly title: string | undefined;
  readonly fields: readonly Field[];
}

export interface Sections {
  readonly main: readonly Field[];
  readonly more: readonly FieldGroup[];
  readonly fixed: readonly Field[];
  /** Options that are set and that the catalogue does not have. */
  readonly unknown: readonly string[];
}

/** How many folded options with the same first word are a group. */
const groupSize = 3;

/**
 * @param set the options that the definition has
 * @param known names that other parts of the form show
 * @param query what the find box has: words of which each must be in the name, the title or the sentence
 */
export function sortFields(
  fields: readonly Field[],
  set: readonly string[],
  known: ReadonlySet<string>,
  query = "",
): Sections {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = fields.filter((field) => words.every((word) => searched(field).includes(word)));
  const names = new Set(fields.map(({ name }) => name));
  const isSet = new Set(set);
  // An option that is set, or that is looked for, stands open wherever it belongs.
  const isOpen = (field: Field): boolean => field.section === "main" || isSet.has(field.name) || words.length > 0;
  return {
    main: found.filter(isOpen),
    more: groupFields(found.filter((field) => !isOpen(field) && field.section === "more")),
    fixed: found.filter((field) => !isOpen(field) && field.section === "fixed"),
    unknown: set.filter(
      (name) => !names.has(name) && !known.has(name) && words.every((word) => name.toLowerCase().includes(word)),
    ),
  };
}

function searched({ name, title, docs }: Field): string {
  return `${name} ${title} ${docs}`.toLowerCase();
}

function groupFields(fields: readonly Field[]): readonly FieldGroup[] {
  const byWord = Map.groupBy(fields, ({ name }) => firstWord(name));
  const single: Field[] = [];
  const groups: FieldGroup[] = [];
  for (const [word, members] of byWord) {
    if (members.length < groupSize) single.push(...members);
    else groups.push({ title: titleOf(word), fields: members });
  }
  return single.length === 0 ? groups : [{ title: undefined, fields: single }, ...groups];
}
