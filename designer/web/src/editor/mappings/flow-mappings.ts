/** The mappings that an open flow names, as its text is now. */
import { type MappingUse, usesOfFlow } from "../../../../shared/mapping-uses.ts";
import type { FlowText } from "../../model/index.ts";
import { useSession } from "../canvas/context.ts";
import type { EditorSession } from "../session/session.ts";

const none: readonly MappingUse[] = [];
const known = new WeakMap<FlowText, readonly MappingUse[]>();

export function useFlowMappings(session: EditorSession): readonly MappingUse[] {
  return useSession(session, ({ flow }) => mappingsIn(flow));
}

/** While the text is no YAML: none. */
export function mappingsIn(flow: FlowText): readonly MappingUse[] {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const uses = read(flow);
  known.set(flow, uses);
  return uses;
}

function read({ text, documents, errors }: FlowText): readonly MappingUse[] {
  if (errors.length > 0 || !/mapping|vmap/i.test(text)) return none;
  try {
    return usesOfFlow(documents.map((document) => document.toJS({ maxAliasCount: 50 }) as unknown));
  } catch {
    // Aliases that would grow without end.
    return none;
  }
}
