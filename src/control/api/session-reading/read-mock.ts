/** One mock: its target, what it does, how often, and when. */
import * as z from "zod";
import { fields, isFields } from "../../../shared/document-fields.ts";
import { choice, expect, object, text, whole } from "../../../shared/document-values.ts";
import { type Mock, type MockAction, type MockCondition, type MockTarget, mockAfters } from "../../../shared/mock.ts";
import { actionHints, actionNames, actionOf, actions, expression } from "./read-actions.ts";

/** A mock by itself: in a set it has the index of its target. */
export interface ReadMock extends Omit<Mock, "target"> {
  readonly target: MockTarget;
}

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
// Without a condition that it was meant to have, a mock would answer calls that it is not for.
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

/** A mock of a list: it names what it is for. */
export const mock = mockFor(undefined);

/** A mock that stands under the id of its step. */
export function mockFor(key: string | undefined): z.ZodType<ReadMock> {
  return sent
    .superRefine((value, context) => check(value, key, context), { when: ({ value }) => isFields(value) })
    .transform((value): ReadMock => {
      const { sequence: list, times = 0, after = "passthrough", when: condition } = value;
      const done = list ?? [actionOf(value)];
      return {
        target: targetOf(value, key),
        actions: done,
        times: list === undefined ? times : done.length,
        after,
        ...(condition !== undefined && { when: condition }),
      };
    });
}

function check(value: Sent, key: string | undefined, { addIssue }: z.RefinementCtx): void {
  const problem = (path: string[], message: string) => addIssue({ code: "custom", path, message });
  const [name, second] = targetNames.filter((one) => one in value);
  if (key !== undefined) {
    if (name !== undefined) problem([name], "the key that the mock stands under is its step's id already");
    else if (key === "" || key.length > mostStepId) problem([], "a key is a step's id here");
  } else if (name === undefined) problem([], "what is mocked? name stepId, or uri for an endpoint");
  else if (second !== undefined) problem([second], `a mock has one target, and ${name} names one already`);
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

function targetOf({ stepId, id, step, uri = "" }: Sent, key: string | undefined): MockTarget {
  const named = key ?? stepId ?? id ?? step;
  return named === undefined ? { uri } : { stepId: named };
}
