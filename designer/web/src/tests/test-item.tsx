/** A test in the list: its outcome, what does not hold, and its form when it is open. */

import { hashOf } from "../app/hash.ts";
import type { EditorSession } from "../editor/session/session.ts";
import type { TryRoute } from "../try/draft.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Icon } from "../ui/icon.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import type { FlowTest } from "./test-file.ts";
import { TestForm } from "./test-form.tsx";
import { failuresOf, runTests, type TestRun } from "./test-runs.ts";

interface TestItemProps {
  readonly session: EditorSession;
  readonly target: string;
  readonly test: FlowTest;
  readonly routes: readonly TryRoute[];
  readonly run: TestRun | undefined;
  readonly isBusy: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (test: FlowTest) => void;
  readonly onRemove: () => void;
}

export function TestItem(props: TestItemProps) {
  const { session, target, test, routes, run, isBusy, isOpen, onOpen, onChange, onRemove } = props;
  const start = (): void => {
    if (!isBusy) void runTests(session, target, [test]);
  };
  const sent = run?.sent;
  const failures = sent === undefined || sent.report.passed === true ? [] : failuresOf(sent);
  return (
    <li className={`step-item ${failures.length > 0 ? "failed" : ""}`}>
      <div className="test-head">
        <button type="button" className="step-button" aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          <Icon name={isOpen ? "down" : "right"} />
          <span className="step-name">{test.name}</span>
          <Outcome run={run} />
        </button>
        <Button disabled={isBusy} onClick={start} aria-label={words.tests.runOne(test.name)}>
          {words.tests.run}
        </Button>
        <IconButton icon="trash" label={words.tests.remove(test.name)} onClick={onRemove} />
      </div>
      {run?.error !== undefined && <ErrorNote title={words.tests.notRun} error={run.error} />}
      {failures.length > 0 && (
        <Note kind="error">
          {failures.map((failure) => (
            <p key={failure}>{failure}</p>
          ))}
          {sent?.run !== undefined && <a href={hashOf(["runs", sent.run.id])}>{words.tryIt.openRun}</a>}
        </Note>
      )}
      {isOpen && <TestForm {...{ session, test, routes, run, onChange, onRun: start }} />}
    </li>
  );
}

function Outcome({ run }: { readonly run: TestRun | undefined }) {
  if (run === undefined) return <Chip tone="plain">{words.tests.notYet}</Chip>;
  if (run.isRunning) return <Chip tone="accent">{words.tests.running}</Chip>;
  return run.sent?.report.passed === true ? (
    <Chip tone="good">{words.tests.pass}</Chip>
  ) : (
    <Chip tone="bad">{words.tests.fail}</Chip>
  );
}
