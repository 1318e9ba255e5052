/** The state of an open flow, unsaved changes included. */
import type { Target } from "../../../shared/wire.ts";
import { type FlowState, stateOf } from "../flows/state.ts";
import { useFlowRows } from "../flows/use-flow-rows.ts";
import { stateWith } from "../mappings/state.ts";
import { useMappings } from "../mappings/use-mappings.ts";
import { useSession } from "./canvas/context.ts";
import { useFlowMappings } from "./mappings/flow-mappings.ts";
import type { EditorSession } from "./session/session.ts";

interface OpenFlowState {
  readonly state: FlowState;
  /** false: the runtime does not answer. */
  readonly isKnown: boolean;
  /** The runtime that it is about. */
  readonly target: Target | undefined;
  /** Of Failed: why the runtime could not start it. */
  readonly runtimeError: string | undefined;
  /** Of Failed: why the runtime has refused it. */
  readonly refusal: string | undefined;
}

export function useFlowState(session: EditorSession): OpenFlowState {
  const { rows, target, isRuntimeKnown } = useFlowRows();
  const dirty = useSession(session, (state) => state.dirty);
  const file = useSession(session, (state) => state.file);
  const row = rows?.find(({ id }) => id === session.id);
  const name = target?.name ?? "";
  // The list is newer than what was read when the flow was opened, unless it does not have the flow yet.
  const { deployed, failed } = row?.entry ?? file;
  const uses = useFlowMappings(session);
  const mappings = useMappings(uses.length > 0);
  const own = stateOf({
    kept: file,
    running: isRuntimeKnown ? row?.running : "unknown",
    deployed: deployed[name],
    failed: failed[name],
    isUnsaved: dirty,
  });
  const state = stateWith(own, mappings, uses);
  const runtimeError = state === "Failed" ? row?.running?.error : undefined;
  const refusal = state === "Failed" && runtimeError === undefined ? failed[name]?.reason : undefined;
  return { state, isKnown: isRuntimeKnown || target === undefined, target, runtimeError, refusal };
}
