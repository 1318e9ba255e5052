/** Options that are refused, with the reasons that the check gives. */
import { z } from "zod";
import { type Schema, slotOf, unwrap } from "../src/workers/check/check-slots.ts";

export interface Refusal {
  readonly option: string;
  readonly why: string;
}

/** The options below a schema that are refused, or taken with one value only. */
export function refusals(schema: Schema, prefix: string): Refusal[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return refusals(inner.element, `${prefix}[].`.replace("..", "."));
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([name, property]): Refusal[] => {
    const slot = slotOf(unwrap(property as Schema));
    const option = `${prefix}${name}`;
    if (slot?.kind === "refused") return [{ option, why: slot.reason }];
    if (slot?.kind === "flag") return oneValue(property as z.ZodType, option);
    return refusals(property as Schema, `${option}.`);
  });
}

/** A flag that is taken with one value only. */
function oneValue(property: z.ZodType, option: string): Refusal[] {
  for (const value of [true, false]) {
    const result = property.safeParse(value);
    if (!result.success) return [{ option: `${option}: ${value}`, why: result.error.issues[0]?.message ?? "refused" }];
  }
  return [];
}
