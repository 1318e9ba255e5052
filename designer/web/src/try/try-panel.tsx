/** The panel Try it: a message is sent to the flow as it is deployed, and each step shows what became of it. */
import { mayDo } from "../api/session.ts";
import type { PanelProps } from "../editor/panels.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { RunOnDrawing } from "../runs/run-on-drawing.tsx";
import { addTest, expectationOf } from "../tests/flow-tests.ts";
import type { FlowTest } from "../tests/test-file.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { notify } from "../ui/toast.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { useDeployed } from "./deployed.ts";
import { DeployedNote } from "./deployed-note.tsx";
import { messageOf } from "./draft.ts";
import { ExampleBar } from "./example-bar.tsx";
import { MessageForm } from "./message-form.tsx";
import type { Sent } from "./send-message.ts";
import { SentView } from "./sent-view.tsx";
import { editDraft, tryMessage, tryStateOf } from "./try-state.ts";
import "../runs/panel.css";
import "../runs/runs.css";

export function TryPanel({ session }: PanelProps) {
  const { draft, isSending, sent, message, error } = useStore(tryStateOf(session));
  const { target, flow } = useDeployed(session.id);
  if (!mayDo("editor")) return <EmptyState icon="play" title={words.tryIt.title} text={words.tryIt.notAllowed} />;
  if (target === undefined || flow === undefined)
    return <EmptyState icon="play" title={words.tryIt.notDeployed} text={words.tryIt.notDeployedText} />;
  const route = flow.routes.find(({ id }) => id === draft.routeId) ?? flow.routes[0];
  const send = (): void => {
    if (route === undefined || isSending) return;
    void tryMessage(session, target, { name: words.tryIt.title, ...messageOf(draft, route) });
  };
  return (
    <div className="watch-panel">
      <DeployedNote session={session} flow={flow} />
      <ExampleBar flowId={session.id} draft={draft} onTake={(taken) => editDraft(session, taken)} />
      <MessageForm draft={draft} routes={flow.routes} onChange={(change) => editDraft(session, change)} onSend={send} />
      <div className="watch-row">
        <Button kind="primary" icon="play" disabled={isSending || route === undefined} onClick={send}>
          {isSending ? words.tryIt.sending : words.tryIt.send}
        </Button>
        <span className="faint">{words.tryIt.real}</span>
      </div>
      <div className="watch-panel-answer" aria-live="polite">
        {error !== undefined && <ErrorNote title={words.tryIt.notSent} error={error} />}
      </div>
      {sent?.run !== undefined && <RunOnDrawing key={sent.run.id} {...{ session, target, run: sent.run }} />}
      {sent !== undefined && <SentView sent={sent} />}
      {sent !== undefined && message !== undefined && (
        <div className="watch-row">
          <Button icon="check" onClick={() => keepAsTest(session, message, sent)}>
            {words.tryIt.keepAsTest}
          </Button>
        </div>
      )}
    </div>
  );
}

function keepAsTest(session: EditorSession, { name: _name, ...message }: FlowTest, sent: Sent): void {
  const name = addTest(session, words.tests.fresh, { ...message, expect: expectationOf(sent) });
  notify({ kind: "done", text: words.tests.added(name) });
}
