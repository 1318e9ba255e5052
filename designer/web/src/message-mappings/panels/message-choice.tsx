/** Chooses the message that the mapping is tried with, of those that the document has. */
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper, useMapping } from "../mapper.ts";
import { listAt, messagesOf, type TrialMessage, testIndexOf } from "../message.ts";
import "./panels.css";

export function MessageChoice() {
  const { session, message } = useMapper();
  const json = useMapping(session, (state) => state.json);
  const sent = useStore(message);
  const known = messagesOf(json);
  const isKnown = known.some(({ origin }) => origin === sent.origin);
  const tests = listAt(json.value, "tests");
  return (
    <label className="side-choice">
      <span>{words.messageMappings.origin}</span>
      <select
        className="input"
        value={sent.origin}
        onChange={(event) => {
          const next = known.find(({ origin }) => origin === event.target.value);
          if (next !== undefined) message.set(next);
        }}
      >
        {!isKnown && <option value={sent.origin}>{nameOf(sent, tests)}</option>}
        {known.map((one) => (
          <option key={one.origin} value={one.origin}>
            {nameOf(one, tests)}
          </option>
        ))}
      </select>
    </label>
  );
}

function nameOf(message: TrialMessage, tests: readonly unknown[]): string {
  const index = testIndexOf(message);
  if (index !== undefined) {
    const name = (tests[index] as { readonly name?: unknown } | undefined)?.name;
    return words.messageMappings.originTest(
      typeof name === "string" ? name : words.messageMappings.tests.fresh(index + 1),
    );
  }
  if (message.origin === "sample") return words.messageMappings.originSample;
  const run = /^run:(.*)$/.exec(message.origin)?.[1];
  return run === undefined ? words.messageMappings.originOwn : words.messageMappings.originRun(run);
}
