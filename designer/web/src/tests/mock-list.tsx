/** Mocks of a test: what answers in place of a step. */

import { isMap } from "../editor/options/set-flow-option.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { stepKeys } from "../runs/step-keys.ts";
import type { StepRun } from "../runs/step-rows.ts";
import { readBody } from "../try/draft.ts";
import { tryStateOf } from "../try/try-state.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

type Mock = Readonly<Record<string, unknown>>;

interface MockListProps {
  readonly session: EditorSession;
  readonly mocks: readonly Mock[];
  /** The steps of the test's last run. */
  readonly ran: readonly StepRun[];
  readonly onChange: (mocks: readonly Mock[]) => void;
}

export function MockList({ session, mocks, ran, onChange }: MockListProps) {
  const state = useStore(session);
  const { sent } = useStore(tryStateOf(session));
  const steps = stepKeys(state);
  const selected = steps.find(({ key }) => key === state.selection.at(-1)) ?? steps[0];
  const pinned =
    selected === undefined ? undefined : lastOf([...(sent?.run?.stepRuns ?? []), ...ran], selected.stepId)?.out;
  const add = (mock: Mock): void => onChange([...mocks, mock]);
  return (
    <fieldset className="test-part">
      <legend>{words.tests.mocks}</legend>
      {mocks.map((mock, index) => (
        <MockRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a mock has no other name than its place
          key={index}
          number={index + 1}
          mock={mock}
          steps={steps.map(({ stepId }) => stepId)}
          onChange={(next) => onChange(mocks.with(index, next))}
          onRemove={() => onChange(mocks.toSpliced(index, 1))}
        />
      ))}
      {selected !== undefined && (
        <div className="watch-row">
          <Button icon="plus" onClick={() => add({ stepId: selected.stepId, respond: { body: "" } })}>
            {words.tests.addMock(selected.stepId)}
          </Button>
          {pinned !== undefined && (
            <Button
              onClick={() => add({ stepId: selected.stepId, respond: { body: readBody(pinned.body) } })}
              title={words.tests.pinTitle}
            >
              {words.tests.pin}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  );
}

/** Where the step itself has answered. */
function lastOf(runs: readonly StepRun[], stepId: string): StepRun | undefined {
  return runs.findLast(({ id, mocked, status }) => id === stepId && !mocked && status === "completed");
}

const kinds = ["respond", "throw", "spy"] as const;

interface MockRowProps {
  readonly number: number;
  readonly mock: Mock;
  readonly steps: readonly string[];
  readonly onChange: (mock: Mock) => void;
  readonly onRemove: () => void;
}

function MockRow({ number, mock, steps, onChange, onRemove }: MockRowProps) {
  const kind = kinds.find((one) => one in mock);
  const { stepId } = mock;
  if (kind === undefined || typeof stepId !== "string") {
    return (
      <div className="watch-row">
        <code>{JSON.stringify(mock)}</code>
        <IconButton icon="trash" label={words.tests.removeMock(number)} onClick={onRemove} />
      </div>
    );
  }
  const { respond: _respond, throw: _throw, spy: _spy, ...rest } = mock;
  const turn = (next: string): void =>
    onChange({
      ...rest,
      ...(next === "spy" ? { spy: true } : next === "throw" ? { throw: "" } : { respond: { body: "" } }),
    });
  return (
    <div className="test-mock">
      <div className="watch-row">
        <select
          className="input"
          aria-label={words.tests.mockStep(number)}
          value={stepId}
          onChange={(event) => onChange({ ...mock, stepId: event.target.value })}
        >
          {[...new Set([stepId, ...steps])].map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
        <select
          className="input"
          aria-label={words.tests.mockKind(number)}
          value={kind}
          onChange={(event) => turn(event.target.value)}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {words.tests.kinds[one]}
            </option>
          ))}
        </select>
        <IconButton icon="trash" label={words.tests.removeMock(number)} onClick={onRemove} />
      </div>
      {kind === "respond" && <Respond key={JSON.stringify(mock["respond"])} {...{ number, mock, onChange }} />}
      {kind === "throw" && <Throw {...{ number, mock, onChange }} />}
    </div>
  );
}

function Respond({ number, mock, onChange }: Pick<MockRowProps, "number" | "mock" | "onChange">) {
  const { respond } = mock;
  const body = isMap(respond) ? respond["body"] : respond;
  const write = (text: string): void =>
    onChange({ ...mock, respond: { ...(isMap(respond) && "body" in respond ? respond : {}), body: readBody(text) } });
  return (
    <textarea
      className="input"
      rows={2}
      spellCheck={false}
      aria-label={words.tests.mockBody(number)}
      placeholder={words.tests.mockBodyHint}
      defaultValue={textOf(body)}
      onBlur={(event) => {
        if (event.target.value !== textOf(body)) write(event.target.value);
      }}
    />
  );
}

function Throw({ number, mock, onChange }: Pick<MockRowProps, "number" | "mock" | "onChange">) {
  const { throw: thrown } = mock;
  if (typeof thrown !== "string") return <code>{JSON.stringify(thrown)}</code>;
  return (
    <input
      className="input"
      aria-label={words.tests.mockError(number)}
      placeholder={words.tests.mockErrorHint}
      value={thrown}
      onChange={(event) => onChange({ ...mock, throw: event.target.value })}
    />
  );
}

export function textOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
