/** All hostile flows, in the order of their numbers. */
import type { HostileCase } from "../case.ts";
import { callers } from "./callers.ts";
import { documents } from "./documents.ts";
import { loops } from "./loops.ts";
import { memory } from "./memory.ts";
import { scripts } from "./scripts.ts";
import { secrets } from "./secrets.ts";
import { servers } from "./servers.ts";
import { threads } from "./threads.ts";

export const hostileCases: readonly HostileCase[] = [
  ...scripts,
  ...memory,
  ...loops,
  ...callers,
  ...servers,
  ...threads,
  ...documents,
  ...secrets,
].sort((a, b) => a.number - b.number);
