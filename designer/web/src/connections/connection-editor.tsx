/** An open connection: what can be done with it, the form of its document, and how it is. */
import { mayDo } from "../api/session.ts";
import { goTo } from "../app/address.ts";
import { hashOf } from "../app/hash.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Loading } from "../ui/loading.tsx";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { ConnectionForm } from "./connection-form.tsx";
import { StateFigures, Users } from "./connection-state.tsx";
import { connectionsOf, kindsOf } from "./connections-api.ts";
import { duplicateConnection } from "./create-connection.tsx";
import { missingIn, sentOf } from "./document.ts";
import { forgetConnection, isDirty, type OpenConnection } from "./open-connections.ts";
import { removeConnection } from "./remove-connection.tsx";
import { saveConnection } from "./save-connection.tsx";
import { TestResult, tryConnection } from "./test-connection.tsx";

const { connections: texts } = words;

export function ConnectionEditor({ connection }: { readonly connection: OpenConnection }) {
  const { target, name, store } = connection;
  const edit = useStore(store);
  const { draft, installed, refused, trial } = edit;
  const { value: known } = useStore(kindsOf(target));
  const entry = useStore(connectionsOf(target)).value?.find((one) => one.name === name);
  if (known === undefined) return <Loading />;
  const isOperator = mayDo("operator");
  const isNew = installed === undefined;
  const dirty = isDirty(edit);
  const kind = known.kinds.find((one) => one.name === draft["kind"]);
  const missing = missingIn(draft, kind);
  // A document of the caller's may send any secret to any server: only operators try one that is not kept.
  const triesDraft = dirty && isOperator;
  const test = async (): Promise<void> => {
    store.set((before) => ({ ...before, trial: { isDraft: triesDraft, answer: undefined } }));
    const answer = await tryConnection(target, name, triesDraft ? sentOf(draft) : undefined);
    store.set((before) => ({ ...before, trial: { isDraft: triesDraft, answer } }));
  };
  const discard = (): void => {
    if (installed !== undefined)
      store.set((before) => ({ ...before, draft: installed.document, refused: undefined, trial: undefined }));
    else {
      forgetConnection(target, name);
      goTo("connections");
    }
  };
  const remove = async (): Promise<void> => {
    if (await removeConnection(target, name)) goTo("connections");
  };
  return (
    <div className="screen connection">
      <header className="screen-head">
        <h1>
          <a href={hashOf(["connections"])}>{texts.title}</a> / {name}
        </h1>
        {isNew ? <Chip tone="warn">{texts.isNew}</Chip> : dirty && <Chip tone="warn">{texts.dirty}</Chip>}
        {isOperator && !isNew && (
          <>
            <Button icon="copy" onClick={() => void duplicateConnection(target, name)}>
              {texts.duplicate}
            </Button>
            <Button icon="trash" onClick={() => void remove()}>
              {texts.remove}
            </Button>
          </>
        )}
        {mayDo("editor") && (!isNew || isOperator) && (
          <Button
            icon="play"
            disabled={(triesDraft && missing.length > 0) || (trial !== undefined && trial.answer === undefined)}
            onClick={() => void test()}
          >
            {triesDraft ? texts.testDraft : texts.test}
          </Button>
        )}
        {isOperator && (
          <>
            <Button disabled={!dirty} onClick={discard}>
              {texts.discard}
            </Button>
            <Button
              kind="primary"
              icon="save"
              disabled={!dirty || missing.length > 0}
              onClick={() => void saveConnection(connection)}
            >
              {texts.save}
            </Button>
          </>
        )}
      </header>
      {refused !== undefined && (
        <Note kind="error" title={texts.refused}>
          <p>{refused}</p>
        </Note>
      )}
      <div role="status">
        {trial !== undefined &&
          (trial.answer === undefined ? (
            <Note kind="info">
              <p>{texts.testing}</p>
            </Note>
          ) : (
            <TestResult answer={trial.answer} title={texts.testOf(trial.isDraft, trial.answer.ok)} />
          ))}
      </div>
      <div className="connection-body">
        <section aria-label={texts.document}>
          <ConnectionForm
            {...{ target, name, draft, missing }}
            kinds={known}
            kind={kind}
            isEditable={isOperator}
            onDraft={(changed) => store.set((before) => ({ ...before, draft: changed, refused: undefined }))}
          />
        </section>
        {entry !== undefined && (
          <aside className="connection-side">
            <section>
              <h2>{texts.state}</h2>
              <StateFigures entry={entry} />
            </section>
            <section>
              <h2>{texts.usedBy}</h2>
              <Users users={entry.usedBy} />
            </section>
          </aside>
        )}
      </div>
    </div>
  );
}
