/** The rules of our prose, in the order in which `npm run prose` lists them. */
import type { ProseRule } from "./rule.ts";
import { actorRules } from "./rules/actors.ts";
import { historyRules } from "./rules/history.ts";
import { lengthRules } from "./rules/length.ts";
import { riddleRules } from "./rules/riddles.ts";
import { stateRules } from "./rules/states.ts";

export const rules: readonly ProseRule[] = [
  ...stateRules,
  ...actorRules,
  ...riddleRules,
  ...historyRules,
  ...lengthRules,
];
