/** Why the state of the open flow is Failed, and what to do. */
import { Note } from "../../ui/note.tsx";
import { words } from "../../words.ts";
import type { EditorSession } from "../session/session.ts";
import { useFlowState } from "../use-flow-state.ts";

export function FailedNote({ session }: { readonly session: EditorSession }) {
  const { target, runtimeError, refusal } = useFlowState(session);
  const reason = runtimeError ?? refusal;
  if (reason === undefined || target === undefined) return null;
  const { failedRuntime, failedTitle, failedText, failedRuntimeText } = words.deploy;
  const isRuntime = runtimeError !== undefined;
  return (
    <Note kind="error" title={isRuntime ? failedRuntime(target.label) : failedTitle(target.label)}>
      <p>{reason}</p>
      <p>{isRuntime ? failedRuntimeText : failedText}</p>
    </Note>
  );
}
