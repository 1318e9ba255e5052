/** The tests of the mapping, which the runtime runs with each change of the document. */
import { useState } from "react";
import { Button, IconButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { listAt, messagesOf, testIndexOf } from "../message.ts";
import { removeValue, setValue } from "../model/json-edit.ts";
import { addTest } from "../test-edits.ts";
import type { TrialState } from "../trial.ts";
import { JsonField } from "./json-field.tsx";

const titles = words.messageMappings.tests;
type Outcome = NonNullable<TrialState["tests"]>[number];

export function TestsPanel() {
  const mapper = useMapper();
  const { session, trial, isEditable } = mapper;
  const json = useMapping(session, (state) => state.json);
  const { tests: outcomes = [], result } = useStore(trial);
  const tests = listAt(json.value, "tests");
  const add = isEditable && (
    <Button icon="plus" disabled={result === undefined} onClick={() => result && addTest(mapper, result)}>
      {titles.add}
    </Button>
  );
  if (tests.length === 0) {
    return (
      <EmptyState icon="check" title={titles.none} text={titles.noneText}>
        {add}
      </EmptyState>
    );
  }
  return (
    <div className="side">
      {outcomes.length > 0 && (
        <p role="status">{titles.passed(outcomes.filter(({ passed }) => passed).length, outcomes.length)}</p>
      )}
      {tests.map((test, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a test has no other name for certain
        <TestItem key={index} index={index} test={test} outcome={outcomes[index]} />
      ))}
      <p>{add}</p>
    </div>
  );
}

interface TestItemProps {
  readonly index: number;
  readonly test: unknown;
  readonly outcome: Outcome | undefined;
}

function TestItem({ index, test, outcome }: TestItemProps) {
  const { session, message, isEditable } = useMapper();
  const json = useMapping(session, (state) => state.json);
  const [isOpen, setOpen] = useState(false);
  const { name: own } = (test ?? {}) as { readonly name?: unknown };
  const name = typeof own === "string" ? own : titles.fresh(index + 1);
  const path = ["tests", index];
  const isFailure = typeof test === "object" && test !== null && "expectError" in test;
  const expected = isFailure ? "expectError" : "expect";
  const edit = { label: words.messageMappings.did.test };
  return (
    <section className="test" aria-label={name}>
      <header className="test-head">
        <button type="button" className="test-name" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {name}
        </button>
        {outcome === undefined ? (
          <Chip tone="plain">{titles.notRun}</Chip>
        ) : (
          <Chip tone={outcome.passed ? "good" : "bad"}>{outcome.passed ? titles.pass : titles.fail}</Chip>
        )}
        <IconButton
          icon="play"
          label={titles.show}
          onClick={() => {
            const known = messagesOf(json).find(({ origin }) => origin === `test:${index}`);
            if (known !== undefined) message.set(known);
          }}
        />
        {isEditable && (
          <IconButton
            icon="trash"
            label={titles.remove(name)}
            onClick={() => {
              session.edit((now) => removeValue(now, path), edit);
              // Tests behind it have other numbers now.
              message.set((sent) => (testIndexOf(sent) === undefined ? sent : { ...sent, origin: "own" }));
            }}
          />
        )}
      </header>
      {outcome?.problem !== undefined && <p className="test-problem">{outcome.problem}</p>}
      {isOpen && (
        <div className="test-form">
          <Field label={titles.name}>
            {(input) => (
              <input
                {...input}
                className="input"
                value={typeof own === "string" ? own : ""}
                readOnly={!isEditable}
                onChange={(event) =>
                  session.edit((now) => setValue(now, [...path, "name"], event.target.value), {
                    ...edit,
                    join: `test ${index} name`,
                  })
                }
              />
            )}
          </Field>
          <JsonField label={titles.input} path={[...path, "input"]} />
          <Field label={titles.kind}>
            {(input) => (
              <select
                {...input}
                className="input"
                value={expected}
                disabled={!isEditable}
                onChange={(event) => {
                  const next = event.target.value;
                  session.edit(
                    [
                      (now) => removeValue(now, [...path, expected]),
                      (now) => setValue(now, [...path, next], next === "expectError" ? true : null),
                    ],
                    edit,
                  );
                }}
              >
                <option value="expect">{titles.kinds.expect}</option>
                <option value="expectError">{titles.kinds.expectError}</option>
              </select>
            )}
          </Field>
          {isFailure ? (
            <JsonField label={titles.expectError} help={titles.expectErrorHelp} path={[...path, "expectError"]} />
          ) : (
            <JsonField label={titles.expect} path={[...path, "expect"]} />
          )}
        </div>
      )}
    </section>
  );
}
