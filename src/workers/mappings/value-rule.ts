/** `onMissing` and `default`, of a pair of columns or of the whole mapping. */
import { missingModes } from "../../shared/value-lookup.ts";
import type { MissingRule } from "../../shared/value-mapping-model.ts";
import { checkValue } from "./value-cells.ts";
import type { Findings } from "./value-findings.ts";
import { below, type Fields, fieldOf, isScalar, kindOf, NotUnderstood, wordOf } from "./value-shape.ts";

/** Throws NotUnderstood. */
export function readRule(fields: Fields, pointer: string, findings: Findings): MissingRule {
  const onMissing = wordOf(fields, "onMissing", pointer, missingModes, findings);
  const value = fieldOf(fields, "default");
  if (value === undefined) return { ...(onMissing !== undefined && { onMissing }) };
  if (!isScalar(value)) throw new NotUnderstood(`${below(pointer, "default")} is ${kindOf(value)}, not a value`);
  checkValue(value, () => below(pointer, "default"), findings);
  return { ...(onMissing !== undefined && { onMissing }), default: value };
}
