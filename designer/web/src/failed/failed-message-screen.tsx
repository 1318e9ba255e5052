/** One failed message: as it entered its route, and what can be done with it: retry it, as it is or edited, or discard it. */
import { useMemo, useState } from "react";
import { orThrow } from "../../../../src/client/client.ts";
import { stringify } from "../../../../src/client/json.ts";
import { polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import { goTo } from "../app/address.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { MessageText } from "../runs/message-text.tsx";
import { indented } from "../runs/messages.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Field } from "../ui/field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Note } from "../ui/note.tsx";
import { notify } from "../ui/toast.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import "../runs/runs.css";

type Detail = Schemas["FailedMessageDetail"];

export function FailedMessageScreen({ address: { rest } }: ScreenProps) {
  const name = useStore(target)?.name ?? "";
  const id = rest[0] ?? "";
  const store = useMemo(
    () =>
      polled<Detail>({
        load: (signal) => orThrow(runtimeOf(name).GET("/_api/failed/{id}", { params: { path: { id } }, signal })),
        // To read a message is an entry of the audit log: it is read once.
        everyMs: 0,
        isVisible: () => true,
      }),
    [name, id],
  );
  const { value, error } = useStore(store);
  return (
    <div className="screen">
      <header className="screen-head run-head">
        <h1>
          <a href={hashOf(["failed"])}>{words.failed.title}</a> / <code>{id}</code>
        </h1>
      </header>
      {error !== undefined && (
        <ErrorNote title={words.failed.oneNotRead} error={error} onRetry={() => void store.refresh()} />
      )}
      {value === undefined ? error === undefined && <Loading /> : <Message key={id} target={name} detail={value} />}
    </div>
  );
}

function Message({ target: name, detail }: { readonly target: string; readonly detail: Detail }) {
  const { id, flowId, error, message, runId, state } = detail;
  const [body, setBody] = useState<string>();
  const text = typeof message?.["body"] === "string" ? message["body"] : indented(stringify(message?.["body"] ?? null));
  const path = { id };
  const retry = async (): Promise<void> => {
    const begun = await attempt(words.failed.retryFailed, () =>
      orThrow(
        runtimeOf(name).POST("/_api/failed/{id}/retry", { params: { path }, body: body === undefined ? {} : { body } }),
      ),
    );
    if (begun !== undefined) goTo("runs", begun.runId);
  };
  const discard = async (): Promise<void> => {
    const goesOn = await confirm({
      title: words.failed.discardTitle,
      text: words.failed.discardText(flowId),
      action: words.failed.discard,
      danger: true,
    });
    if (!goesOn) return;
    const done = await attempt(words.failed.discardFailed, async () => {
      await orThrow(runtimeOf(name).DELETE("/_api/failed/{id}", { params: { path } }));
      return true;
    });
    if (done === undefined) return;
    notify({ kind: "done", text: words.failed.discarded });
    goTo("failed");
  };
  return (
    <>
      {error !== null && (
        <Note kind="error" title={words.runs.failedAt(error.stepId, error.line)}>
          <p>
            {error.type}: {error.message} <a href={hashOf(["runs", runId])}>{words.failed.lastRun}</a>
          </p>
        </Note>
      )}
      {message === null ? (
        <p className="faint">{words.failed.gone}</p>
      ) : body === undefined ? (
        <MessageText label={words.failed.message} text={indented(stringify(message))} />
      ) : (
        <Field label={words.failed.body} help={words.failed.bodyHelp}>
          {(input) => (
            <textarea
              {...input}
              className="input"
              rows={12}
              spellCheck={false}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
      )}
      {state === "waiting" && message !== null && (
        <div className="run-filters">
          {mayDo("editor") && (
            <Button kind="primary" icon="play" onClick={() => void retry()}>
              {body === undefined ? words.failed.retry : words.failed.retryEdited}
            </Button>
          )}
          {mayDo("editor") && (
            <Button onClick={() => setBody(body === undefined ? text : undefined)}>
              {body === undefined ? words.failed.edit : words.ui.cancel}
            </Button>
          )}
          {mayDo("operator") && (
            <Button kind="danger" icon="trash" onClick={() => void discard()}>
              {words.failed.discard}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
