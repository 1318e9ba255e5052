/** Reads `lookups` of a value mapping: the rule of each pair of columns for missing values. */
import { extendPointer } from "../../shared/document-place.ts";
import type { LookupRule, MissingRule, Scalar } from "../../shared/mapping-models.ts";
import { missingModes } from "../../shared/value-lookup.ts";
import { checkValue } from "./value-cells.ts";
import { type Findings, shown } from "./value-findings.ts";
import { list, NotUnderstood, part, readPart, scalar, text, wordOf } from "./value-shape.ts";

const mostLookups = 4096;

/** Schema of a rule's fields, for use in larger schemas; `readRule` reads the result. */
export const ruleFields = { onMissing: text, default: scalar.optional() };
const lookup = part({ from: text, to: text, ...ruleFields }, '{"from": "crm", "to": "erp", "onMissing": "error"}');

export interface LookupSurroundings {
  readonly columns: readonly string[];
  readonly oneWay: boolean;
  /** The rule of the whole document. */
  readonly rule: MissingRule;
}

/** Throws NotUnderstood. */
export function readLookups(value: unknown, around: LookupSurroundings, findings: Findings): readonly LookupRule[] {
  requireDefault(around.rule, around.rule, "", findings);
  if (value === undefined) return [];
  const elements = readPart(list, value, "/lookups", findings);
  if (elements.length > mostLookups) throw new NotUnderstood(`/lookups has more than ${mostLookups} elements`);
  const seen = new Set<string>();
  return elements.map((element, at) => {
    const pointer = extendPointer("/lookups", at);
    const sent = readPart(lookup, element, pointer, findings);
    const [from, to] = readPair(sent, pointer, around, findings);
    const rule = readRule(sent, pointer, findings);
    requireDefault(rule, around.rule, pointer, findings);
    const pair = JSON.stringify([from, to]);
    if (seen.has(pair)) findings.problem(pointer, `the lookup from ${shown(from)} to ${shown(to)} is there twice`);
    seen.add(pair);
    return { from, to, ...rule };
  });
}

/** Reads `from` and `to`, which are optional in a mapping of two columns. Reports unknown columns. */
export function readPair(
  { from: given, to: other }: { readonly from?: string | undefined; readonly to?: string | undefined },
  pointer: string,
  { columns, oneWay }: Pick<LookupSurroundings, "columns" | "oneWay">,
  findings: Findings,
): readonly [from: string, to: string] {
  const [first = "", second = ""] = columns;
  const beside = (name: string): string => (name === first ? second : first);
  if (columns.length !== 2 && (given === undefined || other === undefined)) {
    findings.problem(pointer, `say 'from' and 'to': there are the columns ${columns.map(shown).join(", ")}`);
    return [first, second];
  }
  const from = given ?? (other === undefined ? first : beside(other));
  const to = other ?? beside(from);
  for (const [name, column] of [["from", from] as const, ["to", to] as const]) {
    if (columns.includes(column)) continue;
    const known = columns.map(shown).join(", ");
    findings.problem(extendPointer(pointer, name), `there is no column ${shown(column)}: there are ${known}`);
  }
  if (oneWay && from === second && columns.length > 1) {
    const message = `lookups begin in ${shown(first)} only: set "bidirectional": true for the other way`;
    findings.problem(extendPointer(pointer, "from"), message);
  }
  return [from, to];
}

function requireDefault(rule: MissingRule, document: MissingRule, pointer: string, findings: Findings): void {
  if (rule.onMissing !== "default" || rule.default !== undefined || document.default !== undefined) return;
  findings.problem(extendPointer(pointer, "onMissing"), "'default' needs a value: give 'default' beside it");
}

/** Reads `onMissing` and `default`, of a pair of columns or of the whole mapping. */
export function readRule(
  {
    onMissing: word,
    default: value,
  }: { readonly onMissing?: string | undefined; readonly default?: Scalar | undefined },
  pointer: string,
  findings: Findings,
): MissingRule {
  const onMissing = wordOf(word, extendPointer(pointer, "onMissing"), missingModes, findings);
  if (value === undefined) return { ...(onMissing !== undefined && { onMissing }) };
  checkValue(value, () => extendPointer(pointer, "default"), findings);
  return { ...(onMissing !== undefined && { onMissing }), default: value };
}
