/** One revision: its difference from what runs or from the editor, and what can be done with it. */
import { useState } from "react";
import type { Target } from "../../../../shared/wire.ts";
import { mayDo } from "../../api/session.ts";
import { optionsOf, optionsText } from "../../deploy/options.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/toast.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { EditorSession } from "../session/session.ts";
import { RevisionDiff, type Version } from "./revision-diff.tsx";
import { rollBack } from "./roll-back.tsx";
import { takeContent } from "./take-content.ts";
import type { Revision } from "./use-revisions.ts";

const texts = words.revisions;

interface RevisionViewProps {
  readonly session: EditorSession;
  readonly on: Target;
  readonly revision: Revision;
  /** What the runtime has now; undefined: it does not have the flow any more. */
  readonly current: Revision | undefined;
}

export function RevisionView({ session, on, revision, current }: RevisionViewProps) {
  const [other, setOther] = useState<"runtime" | "editor">(revision === current ? "editor" : "runtime");
  const { text, options } = useStore(session);
  const others = { runtime: versionOf(current), editor: { yaml: text, options: ownText(options) } };
  const take = (): void => {
    const { policy } = session.get().options;
    const taken = { ...optionsOf(revision), ...(policy !== undefined && { policy }) };
    takeContent(session, { yaml: revision.yaml ?? "", options: taken }, texts.taken(revision.revision));
    notify({ kind: "done", text: texts.takenText(revision.revision) });
  };
  return (
    <div className="revision-view">
      <Field label={texts.compare}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={other}
            onChange={(event) => setOther(event.target.value as typeof other)}
          >
            {(["runtime", "editor"] as const).map((one) => (
              <option key={one} value={one}>
                {texts.with[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <RevisionDiff
        before={versionOf(revision)}
        after={others[other]}
        yamlLabel={texts.yamlDiff}
        optionsLabel={texts.optionsDiff}
      />
      <div className="revision-actions">
        {mayDo("editor") && (
          <Button icon="download" onClick={take}>
            {texts.take}
          </Button>
        )}
        {mayDo("operator") && !revision.current && (
          <Button icon="history" onClick={() => void rollBack(session, revision, on)}>
            {texts.rollBack}
          </Button>
        )}
      </div>
      {!mayDo("operator") && mayDo("editor") && <p className="faint">{texts.notOperator}</p>}
    </div>
  );
}

function versionOf(revision: Revision | undefined): Version {
  return { yaml: revision?.yaml ?? "", options: optionsText(optionsOf(revision ?? {})) };
}

/** Revisions have no access policy. */
function ownText(options: object): string {
  return optionsText(optionsOf(options));
}
