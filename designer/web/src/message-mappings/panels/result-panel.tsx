/** The result of the whole mapping, and how it differs from what is expected. */
import { useState } from "react";
import { stringify } from "../../../../../src/client/json.ts";
import { indented } from "../../runs/messages.ts";
import { Button } from "../../ui/button.tsx";
import { DiffView } from "../../ui/diff-view.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Note } from "../../ui/note.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import type { TrialAnswer } from "../mapping-api.ts";
import { listAt, testIndexOf } from "../message.ts";
import { type JsonText, sourceAt } from "../model/json-text.ts";
import { addTest } from "../test-edits.ts";
import { MessageChoice } from "./message-choice.tsx";

export function ResultPanel() {
  const mapper = useMapper();
  const { session, trial, isEditable } = mapper;
  const { result, problems, warnings, error, message } = useStore(trial);
  const json = useMapping(session, (state) => state.json);
  if (!isEditable) return <Note kind="info">{words.messageMappings.notAllowed}</Note>;
  const isOld = problems.length > 0 || json.errors.length > 0 || message !== undefined;
  return (
    <div className="side">
      <MessageChoice />
      {error !== undefined && <ErrorNote title={words.messageMappings.noAnswer} error={error} />}
      {message !== undefined && (
        <Note kind="warn">
          {message === "body" ? words.messageMappings.wrongBody.json : words.messageMappings.wrongAround}
        </Note>
      )}
      {isOld && result !== undefined && <Note kind="warn">{words.messageMappings.older}</Note>}
      {result === undefined ? error === undefined && problems.length === 0 && <Loading /> : <Output result={result} />}
      {warnings.length > 0 && (
        <Note kind="warn" title={words.messageMappings.warnings}>
          <ul className="side-list">
            {warnings.map((one) => (
              <li key={one.message}>{one.message}</li>
            ))}
          </ul>
        </Note>
      )}
      {result !== undefined && (
        <p>
          <Button icon="check" disabled={isOld} onClick={() => addTest(mapper, result)}>
            {words.messageMappings.keepTest}
          </Button>
        </p>
      )}
    </div>
  );
}

function Output({ result }: { readonly result: TrialAnswer }) {
  const { session, message } = useMapper();
  const json = useMapping(session, (state) => state.json);
  const sent = useStore(message);
  const expectations = expectationsOf(json);
  const [chosen, setChosen] = useState<string>();
  // The test whose message is tried says what is expected of it.
  const test = testIndexOf(sent);
  const usual = expectations.some(({ id }) => id === `test:${test}`) ? `test:${test}` : "";
  const compared = expectations.find(({ id }) => id === (chosen ?? usual));
  const text = textOf(result.output);
  return (
    <>
      {result.errors.length > 0 && (
        <Note kind="error" title={result.output === null ? words.messageMappings.fails : undefined}>
          <ul className="side-list">
            {result.errors.map((one) => (
              <li key={`${one.rule} ${one.target} ${one.message}`}>
                {one.target !== undefined && one.target !== "" && <code>{one.target}</code>} {one.message}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {expectations.length > 0 && (
        <label className="side-choice">
          <span>{words.messageMappings.compare}</span>
          <select className="input" value={compared?.id ?? ""} onChange={(event) => setChosen(event.target.value)}>
            <option value="">{words.messageMappings.compareNone}</option>
            {expectations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {compared !== undefined &&
        (compared.text === text ? (
          <Note kind="done">{words.messageMappings.equal}</Note>
        ) : (
          <DiffView label={words.messageMappings.diff} before={compared.text} after={text} />
        ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className="output" tabIndex={0} aria-label={words.messageMappings.outputText}>
        <pre>{text}</pre>
      </section>
    </>
  );
}

interface Expectation {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

function expectationsOf(json: JsonText): readonly Expectation[] {
  const sample = sourceAt(json, ["target", "sample"]);
  const tests = listAt(json.value, "tests").flatMap((test, index) => {
    const source = sourceAt(json, ["tests", index, "expect"]);
    const { name } = test as { readonly name?: unknown };
    const id = `test:${index}`;
    const shown = typeof name === "string" ? name : words.messageMappings.tests.fresh(index + 1);
    return source === undefined ? [] : [{ id, name: words.messageMappings.originTest(shown), text: inOrder(source) }];
  });
  const samples =
    sample === undefined ? [] : [{ id: "sample", name: words.messageMappings.compareSample, text: inOrder(sample) }];
  return [...samples, ...tests];
}

function inOrder(source: string): string {
  return source.startsWith('"') ? (JSON.parse(source) as string) : indented(source);
}

/** A result that is XML is a text; anything else is JSON. */
export function textOf(output: unknown): string {
  return typeof output === "string" ? output : indented(stringify(output) ?? "null");
}
