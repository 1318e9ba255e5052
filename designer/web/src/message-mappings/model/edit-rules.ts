/** Edits of rules: each writes a rule in the form that it has. */
import type { Change, Path } from "../../model/types.ts";
import { insertValue, moveValue, removeValue, renameMember, setValue } from "./json-edit.ts";
import { JsonSource } from "./json-style.ts";
import { type JsonText, nodeAt, sourceAt } from "./json-text.ts";
import { EditRefused } from "./refused.ts";
import { allRules, exprFields, type Rule, targetFields } from "./rules.ts";

/** An edit for the text as the edits before it have left it. */
export type MakeChanges = (json: JsonText) => readonly Change[];

/** Options of a rule that hold one value. `default` is a JsonSource, what a person has typed. */
export type RuleField = "target" | "expr" | "forEach" | "when" | "default" | "required" | "id" | "name" | "description";

export interface RuleFields {
  readonly target: string;
  readonly expr?: string;
  readonly forEach?: string;
  readonly rules?: readonly RuleFields[];
}

/** Sets an option of a rule; undefined removes it. */
export function setRule(json: JsonText, rule: Rule, field: RuleField, value: unknown): readonly Change[] {
  const { path, form } = rule;
  if (form === "expression") {
    if (field !== "expr" || value === undefined) throw new EditRefused("oneExpression");
    return setValue(json, path, value);
  }
  if (form === "short") {
    if (field === "target") return renameMember(json, path, String(value));
    if (field === "expr" && value !== undefined) return setValue(json, path, value);
    if (value === undefined) return [];
    const expr = new JsonSource(sourceAt(json, path) ?? '""');
    return setValue(json, path, field === "expr" ? { expr: value } : { expr, [field]: value });
  }
  const written = writtenField(json, path, field);
  if (field === "target" && form === "member" && written === undefined) return renameMember(json, path, String(value));
  const at = [...path, written ?? field];
  return value === undefined ? removeValue(json, at) : setValue(json, at, value);
}

/** The name under which an option stands, which has several for the target and the expression. */
function writtenField(json: JsonText, path: Path, field: RuleField): string | undefined {
  const names = field === "expr" ? exprFields : field === "target" ? targetFields : [field];
  return names.find((name) => nodeAt(json, [...path, name]) !== undefined);
}

/** Adds a rule to a list of rules, or to an object of them, before what stands at `at`. */
export function addRule(json: JsonText, listPath: Path, at: number, fields: RuleFields): readonly Change[] {
  const list = nodeAt(json, listPath);
  if (list?.type === "array") return insertValue(json, listPath, at, fields);
  if (list?.type !== "object") throw new EditRefused("oneExpression");
  const { target, ...rest } = fields;
  const isShort = rest.forEach === undefined && rest.rules === undefined && rest.expr !== undefined;
  return insertValue(json, listPath, at, isShort ? rest.expr : rest, target);
}

export function removeRule(json: JsonText, { path, form }: Rule): readonly Change[] {
  if (form === "expression") throw new EditRefused("oneExpression");
  return removeValue(json, path);
}

export function moveRule(json: JsonText, { listPath, index }: Rule, to: number): readonly Change[] {
  return moveValue(json, listPath, index, to);
}

/** Puts a copy behind a rule. Ids are left out of it, since a mapping has each once. */
export function duplicateRule(rule: Rule): readonly MakeChanges[] {
  const { path, listPath, index, form, target } = rule;
  if (form === "expression") return [() => refuse("oneExpression")];
  const at = index + 1;
  if (form !== "item") {
    const name = (json: JsonText): string => freeName(json, listPath, target);
    return [(json) => insertValue(json, listPath, at, copyOf(json, path), name(json))];
  }
  const ids = allRules([rule]).map((one) => [...listPath, at, ...one.path.slice(path.length), "id"]);
  return [
    (json) => insertValue(json, listPath, at, copyOf(json, path)),
    ...ids.map((id) => (json: JsonText) => removeValue(json, id)),
  ];
}

function copyOf(json: JsonText, path: Path): JsonSource {
  return new JsonSource(sourceAt(json, path) ?? "null");
}

function freeName(json: JsonText, listPath: Path, target: string): string {
  for (let number = 2; ; number += 1) {
    if (nodeAt(json, [...listPath, target + number]) === undefined) return target + number;
  }
}

function refuse(reason: ConstructorParameters<typeof EditRefused>[0]): never {
  throw new EditRefused(reason);
}

/** Makes a rule with an expression one that has rules for each item of a list. */
export function makeLoop(rule: Rule, forEach: string): readonly MakeChanges[] {
  return [
    (json) => setRule(json, rule, "forEach", forEach),
    (json) => setValue(json, [...rule.path, "rules"], []),
    (json) => (rule.expr === undefined ? [] : removeExpr(json, rule)),
  ];
}

/** Makes a rule with a `forEach` one with an expression. */
export function makeExpression(rule: Rule, expr: string): readonly MakeChanges[] {
  return [
    (json) => setRule(json, rule, "expr", expr),
    (json) => removeValue(json, [...rule.path, "forEach"]),
    (json) => removeValue(json, [...rule.path, "rules"]),
  ];
}

function removeExpr(json: JsonText, { path }: Rule): readonly Change[] {
  const name = exprFields.find((one) => nodeAt(json, [...path, one]) !== undefined);
  return name === undefined ? [] : removeValue(json, [...path, name]);
}

/** Writes the document's short form as a list of rules, which says the same. */
export function writeAsRules(content: string, rules: readonly Rule[]): readonly MakeChanges[] {
  const items = (json: JsonText): readonly unknown[] =>
    rules.map(({ path, form, target }) => {
      const source = (at: Path): JsonSource => new JsonSource(sourceAt(json, at) ?? "null");
      if (form !== "member") return { target, expr: source(path) };
      const names = (nodeAt(json, path)?.children ?? []).map(({ children }) => String(children?.[0]?.value));
      const own = names.map((name) => [name, source([...path, name])] as const);
      return {
        ...(names.some((name) => name === "target" || name === "to") ? {} : { target }),
        ...Object.fromEntries(own),
      };
    });
  return [
    (json) => setValue(json, [content], items(json)),
    (json) => (content === "rules" ? [] : renameMember(json, [content], "rules")),
  ];
}
