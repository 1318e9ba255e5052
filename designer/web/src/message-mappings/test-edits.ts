/** Makes a test of the message that is tried and of its result. */
import { stringify } from "../../../../src/client/json.ts";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import type { Mapper } from "./mapper.ts";
import type { TrialAnswer } from "./mapping-api.ts";
import { inputOf, listAt } from "./message.ts";
import { insertValue, setValue } from "./model/json-edit.ts";
import { JsonSource } from "./model/json-style.ts";
import { sourceAt } from "./model/json-text.ts";
import { formatOf } from "./trial.ts";

export function addTest({ session, message }: Mapper, { output, errors }: TrialAnswer): void {
  const { json, document } = session.get();
  const sent = message.get();
  const input = inputOf(sent, formatOf(document));
  if (input === undefined) return;
  const tests = listAt(json.value, "tests");
  const around = sent.around.trim() === "" ? {} : (JSON.parse(sent.around) as Readonly<Record<string, unknown>>);
  const [failure] = errors;
  const isFailure = output === null && failure !== undefined;
  const expected = isFailure
    ? { expectError: failure.rule === undefined ? true : { rule: failure.rule } }
    : { expect: new JsonSource(stringify(output) ?? "null") };
  const name = words.messageMappings.tests.fresh(tests.length + 1);
  const test = { name, input: new JsonSource(input), ...around, ...expected };
  const isMade = session.edit(
    (now) =>
      sourceAt(now, ["tests"]) === undefined
        ? setValue(now, ["tests"], [test])
        : insertValue(now, ["tests"], tests.length, test),
    { label: words.messageMappings.did.test },
  );
  if (!isMade) return;
  message.set({ ...sent, origin: `test:${tests.length}` });
  notify({ kind: "done", text: words.messageMappings.tests.added(name) });
}
