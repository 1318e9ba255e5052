/** The rules of a document in any of its forms, each with its place in the text. */
import type { Path } from "../../model/types.ts";
import { pathNames, targetSteps } from "./names.ts";

/**
 * How a rule is written: an object of a list, an object under its target's name, an expression under its target's name,
 * or the one expression of the whole document.
 */
export type RuleForm = "item" | "member" | "short" | "expression";

export interface Rule {
  readonly path: Path;
  /** Of the list or object that it is in, and its place there. */
  readonly listPath: Path;
  readonly index: number;
  readonly form: RuleForm;
  /** As the runtime names it. */
  readonly id: string;
  /** As it is written. */
  readonly target: string;
  /** Of the target, from the result on; a list that a `forEach` makes has `-` for its items. undefined: it cannot be read. */
  readonly steps: readonly string[] | undefined;
  readonly expr: string | undefined;
  readonly forEach: string | undefined;
  readonly when: string | undefined;
  readonly required: boolean;
  readonly hasDefault: boolean;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly rules: readonly Rule[] | undefined;
  /** Names from the message on to what its expressions begin at; undefined: it is not known, such as items of a filtered list. */
  readonly context: readonly string[] | undefined;
  /** The same for the rules in it, and for its expression where there is a `forEach`. */
  readonly inner: readonly string[] | undefined;
  /** Options that the runtime does not know. */
  readonly unknown: readonly string[];
}

export interface RuleList {
  /** undefined: the document has no rules. */
  readonly content: (typeof contents)[number] | undefined;
  readonly path: Path;
  /** Whether its rules stand under the names of their targets. */
  readonly isMap: boolean;
  readonly rules: readonly Rule[];
}

const contents = ["rules", "expression", "mappings", "fields"] as const;
export const exprFields = ["expr", "expression", "source", "from"] as const;
export const targetFields = ["target", "to"] as const;
const known = new Set<string>([
  ...[...exprFields, ...targetFields],
  ...["id", "name", "description", "forEach", "rules", "when", "default", "required"],
]);

type Data = Readonly<Record<string, unknown>>;

/** `document`: the parsed document. What is no rule is left out. */
export function readRules(document: unknown): RuleList {
  const root = isRecord(document) ? document : {};
  const content = contents.find((name) => Object.hasOwn(root, name));
  if (content === undefined) return { content, path: [], isMap: false, rules: [] };
  const value = root[content];
  const path = [content];
  const outer: Outer = {
    id: undefined,
    steps: [],
    context: [],
    taken: idsIn(isRecord(value) ? Object.values(value) : value),
  };
  if (content === "expression") {
    const at = { path, listPath: [], index: 0, form: "expression" } as const;
    return { content, path, isMap: false, rules: [rule({ target: "", expr: value }, at, "r1", outer)] };
  }
  return { content, path, isMap: isRecord(value), rules: readList(value, path, outer) };
}

interface Outer {
  readonly id: string | undefined;
  readonly steps: readonly string[] | undefined;
  readonly context: readonly string[] | undefined;
  /** Names of rules by now: those that have an id first. */
  readonly taken: Set<string>;
}

/** The ids that the rules of a list have themselves. */
function idsIn(list: unknown, ids = new Set<string>()): Set<string> {
  if (!Array.isArray(list)) return ids;
  for (const one of list.filter(isRecord)) {
    const id = textOf(one["id"]);
    if (id !== undefined) ids.add(id);
    idsIn(one["rules"], ids);
  }
  return ids;
}

/** The name of a rule without an id, as the runtime has it: after its place, unless another rule is called so. */
function freeId(place: string, taken: Set<string>): string {
  let id = place;
  while (taken.has(id)) id += "_";
  taken.add(id);
  return id;
}

function readList(value: unknown, listPath: Path, outer: Outer): readonly Rule[] {
  const idOf = (index: number): string => (outer.id === undefined ? `r${index + 1}` : `${outer.id}.${index + 1}`);
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => {
      const at = { path: [...listPath, index], listPath, index, form: "item" } as const;
      return isRecord(one) ? [rule(one, at, idOf(index), outer)] : [];
    });
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([target, one], index) => {
    const form = typeof one === "string" ? "short" : "member";
    const fields = typeof one === "string" ? { target, expr: one } : isRecord(one) ? { target, ...one } : undefined;
    return fields === undefined
      ? []
      : [rule(fields, { path: [...listPath, target], listPath, index, form }, idOf(index), outer)];
  });
}

function rule(fields: Data, at: Pick<Rule, "path" | "listPath" | "index" | "form">, place: string, outer: Outer): Rule {
  const id = textOf(fields["id"]) ?? freeId(place, outer.taken);
  const target = firstText(fields, targetFields) ?? "";
  const own = targetSteps(target);
  const steps = own === undefined || outer.steps === undefined ? undefined : [...outer.steps, ...own];
  const forEach = textOf(fields["forEach"]);
  const inner = forEach === undefined ? outer.context : within(outer.context, forEach);
  const items = { id, steps: steps === undefined ? undefined : [...steps, "-"], context: inner, taken: outer.taken };
  return {
    ...at,
    ...{ id, target, steps, forEach, inner, context: outer.context },
    expr: firstText(fields, exprFields),
    when: textOf(fields["when"]),
    required: fields["required"] === true,
    hasDefault: Object.hasOwn(fields, "default"),
    name: textOf(fields["name"]),
    description: textOf(fields["description"]),
    rules: Object.hasOwn(fields, "rules") ? readList(fields["rules"], [...at.path, "rules"], items) : undefined,
    unknown: Object.keys(fields).filter((name) => !known.has(name)),
  };
}

/** What an expression leads to that begins at a context. */
function within(context: readonly string[] | undefined, expression: string): readonly string[] | undefined {
  const text = expression.trim();
  const isRoot = /^\$(?:root|body)(?:\.|$)/.test(text);
  const names = isRoot ? pathNames(text.replace(/^\$(?:root|body)\.?/, "") || "$") : pathNames(text);
  if (names === undefined) return undefined;
  if (isRoot) return names;
  return context === undefined ? undefined : [...context, ...names];
}

/** All rules, an outer one before those in it. */
export function allRules(rules: readonly Rule[]): readonly Rule[] {
  return rules.flatMap((one) => [one, ...allRules(one.rules ?? [])]);
}

export function ruleKey({ path }: Pick<Rule, "path">): string {
  return JSON.stringify(path);
}

function firstText(fields: Data, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(fields[name])).find((text) => text !== undefined);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isRecord(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
