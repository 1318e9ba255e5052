/** Options of endpoints that a limit of the flow bounds. */
import type { LimitName, Limits } from "../../shared/limits.ts";

/** Returns the option, or the limit without one. Throws for a value beyond the limit; in Camel 0 and less mean no limit. */
export function boundedOption(option: string, value: number | undefined, name: LimitName, limits: Limits): number {
  const most = limits[name];
  if (value === undefined) return most;
  if (value > 0 && value <= most) return value;
  throw new Error(`${option} is ${value}: it is 1 to ${most}, and the flow's limit ${name} may be raised`);
}
