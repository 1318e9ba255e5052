/** Rolls a flow back on a runtime, over the version that was compared. */
import type { Target } from "../../../../shared/wire.ts";
import { refreshFlows } from "../../api/cache.ts";
import { runtimeOf } from "../../api/runtime.ts";
import { recordDeployed } from "../../api/workspace.ts";
import { optionsOf, optionsText } from "../../deploy/options.ts";
import { type RuntimeFlow, readRuntimeFlow } from "../../deploy/runtime-flow.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { openDialog } from "../../ui/dialogs.tsx";
import { firstFocus } from "../../ui/first-focus.ts";
import { notify } from "../../ui/toast.tsx";
import { words } from "../../words.ts";
import type { EditorSession } from "../session/session.ts";
import { RevisionDiff } from "./revision-diff.tsx";
import type { Revision } from "./use-revisions.ts";

export async function rollBack(session: EditorSession, revision: Revision, on: Target): Promise<void> {
  await attempt(words.revisions.rollBackFailed, async () => {
    const before = await readRuntimeFlow({ id: session.id, target: on.name, withPolicy: false });
    if (!(await isWanted(revision, on, before))) return;
    const { data, error } = await runtimeOf(on.name).POST("/_api/flows/{id}/rollback", {
      params: { path: { id: session.id } },
      ...(before !== undefined && { headers: { "If-Match": before.etag } }),
      body: { revision: revision.revision },
    });
    refreshFlows(on.name);
    if (error?.status === 412) return notify({ kind: "warn", text: words.revisions.stale });
    if (error !== undefined) throw error;
    await note(session, { revision, on, hash: data.hash, now: data.revision });
    notify({ kind: "done", text: words.revisions.rolledBack(revision.revision, data.revision) });
    for (const { message } of data.warnings) notify({ kind: "warn", text: message });
  });
}

interface RolledBack {
  readonly revision: Revision;
  readonly on: Target;
  readonly hash: string;
  readonly now: number;
}

/** What runs was chosen here: it is no drift. The access policy is not a part of revisions. */
async function note(session: EditorSession, { revision, on, hash, now }: RolledBack): Promise<void> {
  const { policy } = session.get().file.options;
  const options = { ...optionsOf(revision), ...(policy !== undefined && { policy }) };
  const entry = await recordDeployed(session.id, { target: on.name, hash, revision: now, options });
  session.saved({ ...session.get().file, deployed: entry.deployed, failed: entry.failed });
  refreshFlows(on.name);
}

async function isWanted(revision: Revision, { label }: Target, before: RuntimeFlow | undefined): Promise<boolean> {
  const answer = await openDialog<true>((close) => (
    <Dialog
      wide
      title={words.revisions.rollBackTitle(revision.revision, label)}
      onClose={() => close()}
      onSubmit={() => close(true)}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button ref={firstFocus} kind="primary" icon="history" type="submit">
            {words.revisions.rollBack}
          </Button>
        </>
      }
    >
      <p>{words.revisions.rollBackText}</p>
      <RevisionDiff
        before={{ yaml: before?.yaml ?? "", options: optionsText(before?.options ?? {}) }}
        after={{ yaml: revision.yaml ?? "", options: optionsText(optionsOf(revision)) }}
        yamlLabel={words.deploy.yamlDiff(label)}
        optionsLabel={words.deploy.optionsDiff(label)}
      />
    </Dialog>
  ));
  return answer === true;
}
