/** A test is edited: its message, its mocks, and what is expected. */
import { useState } from "react";
import { YamlField } from "../editor/options/yaml-field.tsx";
import type { EditorSession } from "../editor/session/session.ts";
import { type Draft, draftOf, messageOf, readBody, type TryRoute } from "../try/draft.ts";
import { MessageForm } from "../try/message-form.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import { expectationOf } from "./flow-tests.ts";
import { MockList, textOf } from "./mock-list.tsx";
import type { Expectation, FlowTest } from "./test-file.ts";
import type { TestRun } from "./test-runs.ts";

interface TestFormProps {
  readonly session: EditorSession;
  readonly test: FlowTest;
  readonly routes: readonly TryRoute[];
  readonly run: TestRun | undefined;
  readonly onChange: (test: FlowTest) => void;
  readonly onRun: () => void;
}

export function TestForm({ session, test, routes, run, onChange, onRun }: TestFormProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(test, routes));
  const [name, setName] = useState(test.name);
  const edit = (change: Partial<Draft>): void => {
    const next = { ...draft, ...change };
    setDraft(next);
    const route = routes.find(({ id }) => id === next.routeId) ?? routes[0];
    if (route === undefined) return;
    const { post: _post, invoke: _invoke, replaceFrom: _replaceFrom, ...rest } = test;
    onChange({ ...rest, ...messageOf(next, route) });
  };
  const { expect = {} } = test;
  const expected = (change: Partial<Expectation>): void => {
    const filled = Object.entries({ ...expect, ...change }).filter(([, value]) => value !== undefined);
    onChange({ ...test, expect: filled.length === 0 ? undefined : Object.fromEntries(filled) });
  };
  return (
    <div className="step-content">
      <Field label={words.tests.name}>
        {(input) => (
          <input
            {...input}
            className="input"
            value={name}
            onChange={(event) => setName(event.target.value)}
            onBlur={() => {
              if (name.trim() !== "" && name !== test.name) onChange({ ...test, name: name.trim() });
            }}
          />
        )}
      </Field>
      <MessageForm draft={draft} routes={routes} onChange={edit} onSend={onRun} />
      <MockList
        session={session}
        mocks={test.mocks ?? []}
        ran={run?.sent?.run?.stepRuns ?? []}
        onChange={(mocks) => onChange({ ...test, mocks })}
      />
      <fieldset className="test-part">
        <legend>{words.tests.expected}</legend>
        <Field label={words.tests.status} help={words.tests.statusHelp}>
          {(input) => (
            <input
              {...input}
              className="input"
              value={textOf(expect.status)}
              onChange={(event) => expected({ status: statusOf(event.target.value) })}
            />
          )}
        </Field>
        <ExpectedBody key={textOf(expect.body)} body={expect.body} onBody={(body) => expected({ body })} />
        {run?.sent !== undefined && (
          <div className="watch-row">
            <Button
              onClick={() => {
                if (run.sent !== undefined) expected(expectationOf(run.sent));
              }}
            >
              {words.tests.takeAnswer}
            </Button>
          </div>
        )}
      </fieldset>
      <YamlField
        label={words.tests.assertions}
        help={words.tests.assertionsHelp}
        value={test.assert}
        isReadOnly={false}
        onValue={(value) => onChange({ ...test, assert: Array.isArray(value) ? value : undefined })}
      />
    </div>
  );
}

function ExpectedBody({ body, onBody }: { readonly body: unknown; readonly onBody: (body: unknown) => void }) {
  return (
    <Field label={words.tests.body} help={words.tests.bodyHelp}>
      {(input) => (
        <textarea
          {...input}
          className="input"
          rows={3}
          spellCheck={false}
          defaultValue={textOf(body)}
          onBlur={({ target: { value } }) => {
            if (value !== textOf(body)) onBody(value === "" ? undefined : readBody(value));
          }}
        />
      )}
    </Field>
  );
}

/** A number is an HTTP status, a word that of a run. */
function statusOf(text: string): string | number | undefined {
  if (text.trim() === "") return undefined;
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
