/** All guards, by their subject. */
import { boundGuards } from "./bound-guards.ts";
import { diskGuards } from "./disk-guards.ts";
import { doorGuards } from "./door-guards.ts";
import { edgeGuards } from "./edge-guards.ts";
import type { Guard } from "./guard.ts";
import { hostGuards } from "./host-guards.ts";
import { threadGuards } from "./thread-guards.ts";
import { watchGuards } from "./watch-guards.ts";

export const allGuards: readonly Guard[] = [
  ...edgeGuards,
  ...doorGuards,
  ...diskGuards,
  ...threadGuards,
  ...hostGuards,
  ...boundGuards,
  ...watchGuards,
];
