/** `onMissing` and `default`, of a pair of columns or of the whole mapping. */
import { extendPointer } from "../../shared/document-place.ts";
import type { MissingRule, Scalar } from "../../shared/mapping-models.ts";
import { missingModes } from "../../shared/value-lookup.ts";
import { checkValue } from "./value-cells.ts";
import type { Findings } from "./value-findings.ts";
import { scalar, text, wordOf } from "./value-shape.ts";

/** As they stand beside other fields; `readRule` says what they mean. */
export const ruleFields = { onMissing: text, default: scalar.optional() };

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
