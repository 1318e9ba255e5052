/** Brings a mapping that only the runtime has into the workspace, where it is edited as a file and travels with its flows. */
import { attempt } from "../ui/attempt.ts";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { copyToWorkspace, type MappingRef } from "./base.ts";
import type { OpenMapping } from "./open-mapping.ts";

export async function bringIntoWorkspace(mapping: MappingRef | OpenMapping): Promise<void> {
  await attempt(words.mappings.notBroughtIn(mapping.id), async () => {
    const base = await copyToWorkspace(mapping);
    if ("based" in mapping) mapping.based(base);
    notify({ kind: "done", text: words.mappings.broughtIn(mapping.id) });
  });
}
