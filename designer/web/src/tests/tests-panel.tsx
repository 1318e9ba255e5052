/** The panel Tests: the tests of the flow, run as sessions of the runtime, and the steps that they come to. */
import { useEffect, useState } from "react";
import { mayDo } from "../api/session.ts";
import type { PanelProps } from "../editor/panels.ts";
import { noMarks } from "../editor/session/marks.ts";
import { useDeployed } from "../try/deployed.ts";
import { DeployedNote } from "../try/deployed-note.tsx";
import { messageOf, noDraft } from "../try/draft.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { coverageNow, markCoverage } from "./coverage-marks.ts";
import { addTest, freeName, setTests, testsOf } from "./flow-tests.ts";
import { giveTestFile } from "./give-test-file.ts";
import { TestItem } from "./test-item.tsx";
import { renameRun, runTests, testRunsOf } from "./test-runs.ts";
import "../runs/panel.css";
import "../runs/runs.css";
import "./tests.css";

export function TestsPanel({ session }: PanelProps) {
  const { options } = useStore(session);
  const runs = useStore(testRunsOf(session));
  const { target, flow } = useDeployed(session.id);
  const [open, setOpen] = useState<string>();
  const coverage = coverageNow(session, runs);
  useEffect(() => {
    if (runs.size > 0) markCoverage(session, coverageNow(session, runs));
  }, [session, runs]);
  useEffect(() => () => session.marks.set(noMarks), [session]);
  if (!mayDo("editor")) return <EmptyState icon="check" title={words.tests.title} text={words.tryIt.notAllowed} />;
  if (target === undefined || flow === undefined)
    return <EmptyState icon="check" title={words.tryIt.notDeployed} text={words.tests.notDeployedText} />;
  const tests = testsOf(options);
  const [route] = flow.routes;
  const isRunning = [...runs.values()].some((run) => run.isRunning);
  const passed = tests.filter(({ name }) => runs.get(name)?.sent?.report.passed === true).length;
  return (
    <div className="watch-panel">
      <DeployedNote session={session} flow={flow} />
      <div className="watch-row">
        <Button
          kind="primary"
          icon="play"
          disabled={isRunning || tests.length === 0}
          onClick={() =>
            void runTests(
              session,
              target,
              tests.filter(({ skip = false }) => skip === false),
            )
          }
        >
          {words.tests.runAll}
        </Button>
        {route !== undefined && (
          <Button icon="plus" onClick={() => setOpen(addTest(session, words.tests.fresh, messageOf(noDraft, route)))}>
            {words.tests.add}
          </Button>
        )}
        {tests.length > 0 && (
          <Button icon="download" onClick={() => void giveTestFile(session.id, tests)}>
            {words.tests.download}
          </Button>
        )}
      </div>
      {tests.length === 0 ? (
        <EmptyState icon="check" title={words.tests.none} text={words.tests.noneText} />
      ) : (
        <ul className="step-list" aria-label={words.tests.title}>
          {tests.map((test, index) => (
            <TestItem
              // biome-ignore lint/suspicious/noArrayIndexKey: its name is edited, and its place stays
              key={index}
              {...{ session, target, test, routes: flow.routes, run: runs.get(test.name), isBusy: isRunning }}
              isOpen={open === test.name}
              onOpen={(isOpen) => setOpen(isOpen ? test.name : undefined)}
              onChange={(next) => {
                const name = next.name === test.name ? next.name : freeName(tests, next.name);
                setTests(session, tests.with(index, { ...next, name }));
                if (name !== test.name) renameRun(session, test.name, name);
                if (open === test.name) setOpen(name);
              }}
              onRemove={() => setTests(session, tests.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      {runs.size > 0 && tests.length > 0 && (
        <section aria-live="polite">
          <h2>{words.tests.passed(passed, tests.length)}</h2>
          <p>{words.tests.covered(coverage.covered.length, coverage.covered.length + coverage.missing.length)}</p>
          {coverage.missing.length > 0 && <p className="faint">{words.tests.missing(coverage.missing.join(", "))}</p>}
        </section>
      )}
      {tests.length > 0 && <p className="faint">{words.tests.kept(session.id)}</p>}
    </div>
  );
}
