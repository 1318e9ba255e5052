/** Deploys the open flow, and first saves what is not saved. */
import { target } from "../../api/target.ts";
import type { FlowProblem } from "../../deploy/check.ts";
import { openDeployment } from "../../deploy/deploy-dialog.tsx";
import type { DeploySource } from "../../deploy/source.ts";
import { offsetAt, pathOfPointer } from "../../model/index.ts";
import { notify } from "../../ui/toast.tsx";
import { words } from "../../words.ts";
import { mappingsIn } from "../mappings/flow-mappings.ts";
import { trySaving } from "../save.tsx";
import { itemAt, itemOfPath } from "../session/find-items.ts";
import type { EditorSession } from "../session/session.ts";
import { takeContent } from "./take-content.ts";

export async function deploySession(session: EditorSession): Promise<void> {
  session.settle();
  const on = target.get();
  if (on === undefined) return notify({ kind: "warn", text: words.deploy.noTarget });
  if (session.get().broken) return notify({ kind: "warn", text: words.deploy.broken });
  await openDeployment(sourceOf(session), on);
}

/** An open flow as what is deployed. */
export function sourceOf(session: EditorSession): DeploySource {
  return {
    id: session.id,
    name: session.get().file.name,
    content: () => ({ yaml: session.get().text, options: session.get().options }),
    isUnsaved: () => session.get().dirty || session.get().file.draft,
    mappings: () => mappingsIn(session.flow()),
    deployed: (name) => session.get().file.deployed[name],
    async save() {
      const { dirty, file } = session.get();
      if (dirty || file.draft) {
        const saved = await trySaving(session);
        if (!saved.isSaved) return saved.problem === undefined ? undefined : { notSaved: saved.problem };
      }
      return session.get().file;
    },
    noted: ({ deployed, failed, draft }) => session.saved({ ...session.get().file, deployed, failed, draft }),
    show: (problem) => showProblem(session, problem),
    take: (content) => takeContent(session, content, words.deploy.take),
  };
}

/** Selects the step that a problem is at, so that its form opens on it. */
function showProblem(session: EditorSession, { pointer, line, column }: FlowProblem): void {
  const { index, text } = session.get();
  const offset = offsetAt(text, { line: line ?? 1, column: column ?? 1 });
  const item = itemOfPath(index, pathOfPointer(pointer)) ?? itemAt(index, offset);
  if (item === undefined) return;
  session.select([item.key]);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.canvas .node[tabindex="0"]')?.focus());
}
