/** The form of what is selected on the canvas. */
import { mayDo } from "../../api/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { words } from "../../words.ts";
import { useSession } from "../canvas/context.ts";
import { useCatalog } from "../catalog.ts";
import type { EditorSession } from "../session/session.ts";
import type { EditorDiagnostic } from "../session/state.ts";
import { ItemForm } from "./item-form.tsx";
import "./form.css";

export function FormPanel({ session }: { readonly session: EditorSession }) {
  const { catalog, isKnown } = useCatalog();
  const item = useSession(session, ({ index, selection }) => index.items.get(selection.at(-1) ?? ""));
  const count = useSession(session, ({ selection }) => selection.length);
  const isBroken = useSession(session, ({ broken }) => broken);
  const problems = useSession(session, (state) => state.problems.get(item?.key ?? "none")) ?? none;
  if (item === undefined) {
    return <EmptyState icon="flows" title={words.form.nothing} text={words.form.nothingText} />;
  }
  return (
    <div className="form" id="editor-form">
      {isBroken && <p className="form-note">{words.form.broken}</p>}
      {count > 1 && <p className="form-note">{words.form.several(count)}</p>}
      {problems.map(({ message, severity }) => (
        <p key={message} className={`form-note ${severity}`}>
          {message}
        </p>
      ))}
      <ItemForm key={item.key} {...{ session, item, catalog, isKnown }} isEditable={mayDo("editor") && !isBroken} />
    </div>
  );
}

const none: readonly EditorDiagnostic[] = [];
