/** The head of the form: what is selected, what can be done with it, and the box that finds options. */
import { type Catalog, setOption } from "../../model/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { DocsText } from "../../ui/docs-text.tsx";
import { words } from "../../words.ts";
import { duplicateSelected } from "../actions/clipboard.ts";
import { addBranchTo, branchKinds, moveSelected, removeSelected } from "../actions/edit-steps.ts";
import { endpointOf } from "../picker/entries.ts";
import { pickEntry } from "../picker/pick.tsx";
import type { Item } from "../session/items.ts";
import type { EditorSession } from "../session/session.ts";
import { titleOf } from "../titles.ts";
import type { Subject } from "./subject.ts";

interface FormHeadProps {
  readonly session: EditorSession;
  readonly item: Item;
  readonly catalog: Catalog;
  readonly subject: Subject;
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly isEditable: boolean;
}

export function FormHead({ session, item, catalog, subject, query, setQuery, isEditable }: FormHeadProps) {
  const { title, docs, endpoint, isKnown } = subject;
  const changeTrigger = async (button: Element): Promise<void> => {
    const picked = await pickEntry("trigger", button);
    if (picked === undefined) return;
    const { uri, parameters } = endpointOf(picked.entry, picked.catalog);
    session.edit(
      [
        (flow) => setOption(flow, [...item.path, "uri"], uri),
        (flow) => setOption(flow, [...item.path, "parameters"], parameters),
      ],
      { label: words.form.changed(words.form.trigger) },
    );
  };
  return (
    <header className="form-head">
      <h2>{title}</h2>
      <p className="form-docs">
        <DocsText text={isKnown || catalog.steps.length === 0 ? docs : words.form.notInCatalog(item.name)} />
        {endpoint !== undefined && item.kind !== "other" && <DocsText text={` ${endpoint.docs}`} />}
      </p>
      {isEditable && (
        <div className="form-actions">
          {item.kind === "trigger" && (
            <Button onClick={(event) => void changeTrigger(event.currentTarget)}>{words.form.changeTrigger}</Button>
          )}
          {(branchKinds[item.name] ?? []).map((kind) => (
            <Button key={kind} icon="plus" onClick={() => addBranchTo(session, item, kind)}>
              {titleOf(kind)}
            </Button>
          ))}
          {item.kind === "step" && (
            <>
              <IconButton icon="sortUp" label={words.form.up} onClick={() => moveSelected(session, -1)} />
              <IconButton icon="sortDown" label={words.form.down} onClick={() => moveSelected(session, 1)} />
              <IconButton icon="copy" label={words.form.duplicate} onClick={() => duplicateSelected(session)} />
            </>
          )}
          {item.kind !== "trigger" && (
            <IconButton icon="trash" label={words.form.remove(title)} onClick={() => removeSelected(session)} />
          )}
        </div>
      )}
      <input
        className="input"
        type="search"
        aria-label={words.form.find}
        placeholder={words.form.find}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
    </header>
  );
}
