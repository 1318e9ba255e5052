/** The revisions of the open flow on the chosen runtime: compared, taken into the editor, rolled back to. */
import { useState } from "react";
import type { Target } from "../../../../shared/wire.ts";
import { target } from "../../api/target.ts";
import { Chip } from "../../ui/chip.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useSession } from "../canvas/context.ts";
import type { PanelProps } from "../panels.ts";
import type { EditorSession } from "../session/session.ts";
import { RevisionView } from "./revision-view.tsx";
import { type Revision, useRevisions } from "./use-revisions.ts";
import "./revisions.css";

const texts = words.revisions;

export function RevisionsPanel({ session }: PanelProps) {
  const on = useStore(target);
  if (on === undefined) return <EmptyState icon="history" title={texts.none} text={texts.noTarget} />;
  return <RevisionList key={on.name} session={session} on={on} />;
}

interface RevisionListProps {
  readonly session: EditorSession;
  readonly on: Target;
}

function RevisionList({ session, on }: RevisionListProps) {
  const { revisions, error, refresh } = useRevisions(session, on.name);
  const authors = useSession(session, ({ file }) => file.deployed[on.name]?.authors) ?? {};
  const [chosen, setChosen] = useState<number>();
  if (error !== undefined) return <ErrorNote title={texts.notRead} error={error} onRetry={refresh} />;
  if (revisions === undefined) return <Loading />;
  if (revisions.length === 0) return <EmptyState icon="history" title={texts.none} text={texts.noneText(on.label)} />;
  const current = revisions.find((one) => one.current);
  return (
    <div className="revisions">
      <ul className="revision-list" aria-label={texts.list(on.label)}>
        {revisions.map((revision) => (
          <li key={revision.revision}>
            <button
              type="button"
              className="revision"
              aria-expanded={revision.revision === chosen}
              onClick={() => setChosen(revision.revision === chosen ? undefined : revision.revision)}
            >
              <RevisionHead revision={revision} author={authors[revision.revision]} />
            </button>
            {revision.revision === chosen && <RevisionView {...{ session, on, revision, current }} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function RevisionHead({ revision, author }: { readonly revision: Revision; readonly author: string | undefined }) {
  return (
    <>
      <b>{texts.name(revision.revision)}</b>
      {revision.current && (
        <Chip tone="good">{revision.state === "stopped" ? texts.currentStopped : texts.current}</Chip>
      )}
      <span>{words.ui.time(revision.savedAt)}</span>
      <span className="faint">{author === undefined ? texts.elsewhere : texts.by(author)}</span>
      <code className="faint" title={revision.hash}>
        {revision.hash.slice(0, 12)}
      </code>
    </>
  );
}
