/** Trials of connections: what was found, or the exact cause. */
import { useEffect, useState } from "react";
import { sentenceOf } from "../api/sentence.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Loading } from "../ui/loading.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import { connectionsOf, type TestAnswer, testConnection } from "./connections-api.ts";
import type { Document } from "./document.ts";

const { connections: texts } = words;

/** Does not reject: why the runtime refuses the trial is an answer, too. */
export async function tryConnection(target: string, name: string, sent?: Document): Promise<TestAnswer> {
  try {
    return await testConnection(target, name, sent);
  } catch (error) {
    return { ok: false, error: sentenceOf(error) };
  } finally {
    void connectionsOf(target).refresh();
  }
}

/** Tries the connection that the runtime has, and shows the answer. */
export async function showTest(target: string, name: string): Promise<void> {
  await openDialog<true>((close) => <TestDialog target={target} name={name} close={() => close()} />);
}

function TestDialog({ target, name, close }: { target: string; name: string; close: () => void }) {
  const [answer, setAnswer] = useState<TestAnswer>();
  useEffect(() => void tryConnection(target, name).then(setAnswer), [target, name]);
  return (
    <Dialog
      title={texts.testTitle(name)}
      onClose={close}
      actions={
        <Button kind="primary" onClick={close}>
          {words.ui.close}
        </Button>
      }
    >
      {answer === undefined ? <Loading /> : <TestResult answer={answer} />}
    </Dialog>
  );
}

export function TestResult({ answer, title }: { readonly answer: TestAnswer; readonly title?: string | undefined }) {
  const { ok, error, serverVersion = "", tls = null, connectMs = 0, latencyMs = 0 } = answer;
  return (
    <Note kind={ok ? "done" : "error"} title={title ?? (ok ? texts.testOk : texts.testFailed)}>
      {ok ? (
        <dl className="connection-found">
          <dt>{texts.serverVersion}</dt>
          <dd>{serverVersion}</dd>
          <dt>{texts.tls}</dt>
          <dd>{tls ?? texts.notEncrypted}</dd>
          <dt>{texts.connectTime}</dt>
          <dd>{texts.ms(connectMs)}</dd>
          <dt>{texts.latency}</dt>
          <dd>{texts.ms(latencyMs)}</dd>
        </dl>
      ) : (
        <p>{error}</p>
      )}
    </Note>
  );
}
