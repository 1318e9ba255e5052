/** Figures of a trial, which scripts/trials records. */
import { appendFileSync } from "node:fs";

const file = process.env["TRIAL_FIGURES"];

/** Outside of a trial it does nothing. A later figure of the same name replaces an earlier one. */
export function noteFigure(name: string, value: string | number): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, value })}\n`);
}
