/** Makes the rule that puts a field of the message into a field of the result: what dragging one onto the other does. */
import type { Path } from "../../model/types.ts";
import { addRule, type MakeChanges, type RuleFields, setRule } from "./edit-rules.ts";
import { equalNames } from "./equal-names.ts";
import { type FieldNode, startsWith } from "./fields.ts";
import { isListStep, pathExpression, pointerOf } from "./names.ts";
import { EditRefused } from "./refused.ts";
import type { Rule, RuleList } from "./rules.ts";

export interface Mapped {
  readonly edits: readonly MakeChanges[];
  /** The path of the rule that was made or changed. */
  readonly path: Path;
}

/** Where rules for a field of the result belong. */
interface Place {
  readonly listPath: Path;
  readonly rules: readonly Rule[];
  /** Whether the rules stand under their targets' names. */
  readonly isMap: boolean;
  /** Names that the targets there begin behind. */
  readonly base: readonly string[];
  /** What expressions there begin at. */
  readonly context: readonly string[] | undefined;
}

/**
 * A field that is dropped on an object gets its own name there. Lists become loops: the one of the result that a field
 * is in goes over the one of the message that the other field is in. Throws EditRefused.
 */
export function mapField(list: RuleList, source: FieldNode, dropped: FieldNode): Mapped {
  if (list.content === undefined || list.content === "expression") throw new EditRefused("oneExpression");
  const target = isHolder(source, dropped) ? childOf(dropped, source) : dropped;
  const first: Place = { listPath: list.path, rules: list.rules, isMap: list.isMap, base: [], context: [] };
  return mapIn(
    first,
    source,
    target,
    target.lists.filter((length) => length < target.path.length),
  );
}

function isHolder(source: FieldNode, { kind, path, children }: FieldNode): boolean {
  if (path.length === 0) return true;
  return (
    (kind === "object" && source.kind !== "object") ||
    (kind === "list" && children.length > 0 && source.kind !== "list")
  );
}

function childOf({ path, lists, kind }: FieldNode, source: FieldNode): FieldNode {
  const name = source.path.at(-1) ?? "value";
  const inner = kind === "list" ? [...lists, path.length] : lists;
  return { ...source, name, path: [...path, name], key: pointerOf([...path, name]), lists: inner, children: [] };
}

function mapIn(place: Place, source: FieldNode, target: FieldNode, lists: readonly number[]): Mapped {
  const [length, ...deeper] = lists;
  if (length === undefined) return setHere(place, source, target);
  const list = target.path.slice(0, length);
  const loop = place.rules.find((rule) => samePath(namesOf(rule), list));
  if (loop !== undefined) {
    if (loop.forEach === undefined || loop.rules === undefined) throw new EditRefused("wholeList");
    const inner: Place = {
      listPath: [...loop.path, "rules"],
      rules: loop.rules,
      isMap: false,
      base: list,
      context: loop.inner,
    };
    return mapIn(inner, source, target, deeper);
  }
  // A loop's context is an item of its list: only lists further inside are left.
  const done = place.base.length === 0 ? -1 : (place.context?.length ?? -1);
  const items = source.lists.find((one) => one > done);
  const over = items === undefined ? undefined : source.path.slice(0, items);
  if (over === undefined || place.rules.some((rule) => startsWith(namesOf(rule) ?? [], list))) {
    return setHere(place, source, target);
  }
  const nested: RuleFields = innerRule(source, target, list, over, deeper);
  const fields: RuleFields = {
    target: pointerOf(list.slice(place.base.length)),
    forEach: expressionFor(over, place.context),
    rules: [nested],
  };
  const made = add(place, fields);
  return { edits: made.edits, path: [...made.path, "rules", 0] };
}

/** The rule inside of a loop that is made; deeper lists are loops in it. */
function innerRule(
  source: FieldNode,
  target: FieldNode,
  base: readonly string[],
  context: readonly string[],
  lists: readonly number[],
): RuleFields {
  const [length, ...deeper] = lists;
  const items = source.lists.find((one) => one > context.length);
  if (length === undefined || items === undefined) return fieldRule(source, target, base, context);
  const [list, over] = [target.path.slice(0, length), source.path.slice(0, items)];
  return {
    target: pointerOf(list.slice(base.length)),
    forEach: expressionFor(over, context),
    rules: [innerRule(source, target, list, over, deeper)],
  };
}

function setHere(place: Place, source: FieldNode, target: FieldNode): Mapped {
  const fields = fieldRule(source, target, place.base, place.context);
  const known = place.rules.find((rule) => samePath(namesOf(rule), target.path) && rule.when === undefined);
  if (known === undefined) return add(place, fields);
  if (known.forEach !== undefined || fields.expr === undefined) throw new EditRefused("taken");
  const { expr } = fields;
  return { edits: [(json) => setRule(json, known, "expr", expr)], path: known.path };
}

function add({ listPath, rules, isMap }: Place, fields: RuleFields): Mapped {
  const at = rules.length;
  return {
    edits: [(json) => addRule(json, listPath, at, fields)],
    path: [...listPath, isMap ? fields.target : at],
  };
}

/** A list that meets a list becomes a loop, with rules for the fields of equal names. */
function fieldRule(
  source: FieldNode,
  target: FieldNode,
  base: readonly string[],
  context: Place["context"],
): RuleFields {
  const to = pointerOf(target.path.slice(base.length));
  const expr = expressionFor(source.path, context);
  if (source.kind !== "list" || target.kind !== "list" || target.path.length === base.length)
    return { target: to, expr };
  if (source.children.length === 0) return { target: to, forEach: expr, expr: "$" };
  return { target: to, forEach: expr, rules: equalNames(source, target) };
}

/** The expression for a field of the message, from where a rule stands. */
export function expressionFor(path: readonly string[], context: readonly string[] | undefined): string {
  if (context !== undefined && startsWith(path, context)) return pathExpression(path.slice(context.length));
  return path.length === 0 ? "$root" : `$root.${pathExpression(path)}`;
}

function namesOf({ steps }: Rule): readonly string[] | undefined {
  return steps?.filter((step) => !isListStep(step));
}

function samePath(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one !== undefined && one.length === other.length && startsWith(other, one);
}
