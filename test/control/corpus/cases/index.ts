/** The corpus. The order matters nowhere. */
import type { Group } from "../case.ts";
import { auth, health } from "./auth.ts";
import { bodies } from "./bodies.ts";
import { flows } from "./flows.ts";
import { framing } from "./framing.ts";
import { headers } from "./headers.ts";
import { ids } from "./ids.ts";
import { methods } from "./methods.ts";
import { queries } from "./queries.ts";
import { targets } from "./targets.ts";
import { webhooks } from "./webhooks.ts";

export const corpus: readonly Group[] = [
  auth,
  health,
  targets,
  ids,
  bodies,
  flows,
  headers,
  framing,
  webhooks,
  queries,
  methods,
];
