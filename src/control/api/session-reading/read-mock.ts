/** Reads one mock: its target, its action, how often it answers, and when. */
import * as z from "zod";
import { choice, expect, fields, isFields, object, text, whole } from "../../../shared/document-fields.ts";
import { type Mock, type MockAction, type MockCondition, type MockTarget, mockAfters } from "../../../shared/mock.ts";
import { actionHints, actionNames, actionOf, actions, expression } from "./read-actions.ts";

/** A mock without its target, which is an index in a set of mocks. */
export type MockSettings = Omit<Mock, "target">;

export const stepNames = ["stepId", "id", "step"] as const;
const targetNames = [...stepNames, "uri"] as const;
const kinds = [...actionNames, "sequence"] as const;
const mostTimes = 1_000_000;
const mostStepId = 128;
const mostPattern = 2000;

const inSequence = fields(actions, { hints: actionHints }).transform((value, { addIssue }): MockAction => {
  const given = actionNames.filter((name) => name in value);
  if (given.length !== 1) addIssue(`one of ${actionNames.join(", ")} is expected`);
  return actionOf(value);
});

const sequence = expect<unknown[]>(
  'a list such as [{"respond": 1}, {"throw": "boom"}] is',
  (value) => Array.isArray(value) && value.length > 0,
).pipe(z.array(inSequence));

const whenFields = ["body", "headers", "expression"] as const;
// A mock that lost its condition would answer calls that it is not meant for.
const when = fields(
  {
    body: z.unknown().exactOptional(),
    headers: object("an object of what headers are to be, by name,").exactOptional(),
    expression: expression.exactOptional(),
  } satisfies Record<(typeof whenFields)[number], z.ZodType>,
  { strict: true },
).transform((value, { addIssue }): MockCondition => {
  if (Object.keys(value).length === 0) addIssue(`one of ${whenFields.join(", ")} is expected`);
  return value;
});

const sent = fields(
  {
    stepId: text(mostStepId).exactOptional(),
    id: text(mostStepId).exactOptional(),
    step: text(mostStepId).exactOptional(),
    uri: text(mostPattern).exactOptional(),
    ...actions,
    sequence: sequence.exactOptional(),
    times: whole(1, mostTimes).exactOptional(),
    after: choice(mockAfters).exactOptional(),
    when: when.exactOptional(),
  },
  { hints: actionHints, expected: notAMock },
);
type Sent = z.output<typeof sent>;

function notAMock(value: unknown): string {
  const meant = `{"respond": ${JSON.stringify(value)?.slice(0, 60)}}`;
  return `a mock is an object with ${kinds.join(", ")}: to answer with this value, write ${meant}`;
}

const whenObject = { when: ({ value }: { readonly value: unknown }) => isFields(value) };

/** A mock in a list, which names its target. */
export const mock = sent
  .superRefine((value, context) => {
    const [name, second] = targetNames.filter((one) => one in value);
    if (name === undefined) context.addIssue("what is mocked? name stepId, or uri for an endpoint");
    if (second !== undefined) {
      const message = `a mock has one target, and ${name} names one already`;
      context.addIssue({ code: "custom", path: [second], message });
    }
    check(value, context);
  }, whenObject)
  .transform((value) => ({ target: targetOf(value), settings: settingsOf(value) }));

/** A mock in an object, whose key is the id of its step. */
export const mockOfStep = sent
  .superRefine((value, context) => {
    const name = targetNames.find((one) => one in value);
    if (name !== undefined) {
      const message = "the key that the mock stands under is its step's id already";
      context.addIssue({ code: "custom", path: [name], message });
    }
    check(value, context);
  }, whenObject)
  .transform(settingsOf);

export function isStepId(key: string): boolean {
  return key !== "" && key.length <= mostStepId;
}

function settingsOf(value: Sent): MockSettings {
  const { sequence: list, times = 0, after = "passthrough", when: condition } = value;
  const actions = list ?? [actionOf(value)];
  return {
    actions,
    times: list === undefined ? times : actions.length,
    after,
    ...(condition !== undefined && { when: condition }),
  };
}

function check(value: Sent, { addIssue }: z.RefinementCtx): void {
  const problem = (path: string[], message: string) => addIssue({ code: "custom", path, message });
  const given = kinds.filter((one) => one in value);
  if (given.length === 0) problem([], `what does it do? say one of ${kinds.join(", ")}`);
  if (given.length > 1) {
    problem([], `${given.join(" and ")} exclude each other: for one after the other, use sequence`);
  }
  const isSequence = "sequence" in value;
  if (isSequence && "times" in value) {
    problem(["times"], "a sequence has one use for each of its answers: leave times out");
  }
  if ("after" in value && !("times" in value) && !isSequence) {
    problem(
      ["after"],
      "without times or sequence a mock has no end: leave after out, or say how many times it answers",
    );
  }
}

function targetOf({ stepId, id, step, uri = "" }: Sent): MockTarget {
  const named = stepId ?? id ?? step;
  return named === undefined ? { uri } : { stepId: named };
}
