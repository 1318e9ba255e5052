/** Every row of the trials: `npm run trials`. */
import type { TrialRow } from "./row.ts";
import { stormRows } from "./storms.ts";
import { testRows } from "./tests.ts";

export const trialRows: readonly TrialRow[] = [...testRows, ...stormRows];
