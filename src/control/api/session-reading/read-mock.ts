/** One mock: its target, what it does, how often, and when. */
import { type Mock, type MockAction, type MockCondition, type MockTarget, mockAfters } from "../../../shared/mock.ts";
import { actionHints, actionNames, readAction, readExpression } from "./read-actions.ts";
import { isFields, type Part, present, type Reading, within } from "./reading.ts";
import type { Targets } from "./targets.ts";

export const stepNames = ["stepId", "id", "step"];
const mockFields = [...stepNames, "uri", ...actionNames, "sequence", "times", "after", "when"];
const kinds = [...actionNames, "sequence"] as const;
const mostTimes = 1_000_000;
const mostStepId = 128;
const mostPattern = 2000;

export function readMock(
  item: unknown,
  place: string,
  stepId: string | undefined,
  targets: Targets,
  reading: Reading,
): Mock | undefined {
  if (!isFields(item)) {
    const meant = `{"respond": ${JSON.stringify(item)?.slice(0, 60)}}`;
    return reading.bad(
      place,
      `a mock is an object with ${kinds.join(", ")}: to answer with this value, write ${meant}`,
    );
  }
  const part = reading.part(item, place, mockFields, { hints: actionHints });
  if (part === undefined) return undefined;
  const target = readTarget(part, place, stepId);
  const actions = readActions(part, place);
  const isSequence = part.has("sequence");
  if (isSequence && part.has("times")) {
    part.bad("times", "a sequence has one use for each of its answers: leave times out");
  }
  if (part.has("after") && !part.has("times") && !isSequence) {
    part.bad("after", "without times or sequence a mock has no end: leave after out, or say how many times it answers");
  }
  const times = part.whole("times", 1, mostTimes);
  const after = part.choice("after", mockAfters) ?? "passthrough";
  const when = part.has("when") ? readWhen(part.value("when"), part.at("when"), reading) : undefined;
  if (target === undefined) return undefined;
  return {
    target: targets.indexOf(target),
    actions,
    times: isSequence ? actions.length : (times ?? 0),
    after,
    ...present({ when }),
  };
}

/** The step's id under one of its names, or the pattern of endpoints. */
function readTarget(part: Part, place: string, key: string | undefined): MockTarget | undefined {
  const given = [...stepNames, "uri"].filter((name) => part.has(name));
  const [name, second] = given;
  if (key !== undefined) {
    if (name !== undefined) part.bad(name, "the key that the mock stands under is its step's id already");
    else if (key === "" || key.length > mostStepId) part.reading.bad(place, "a key is a step's id here");
    else return { stepId: key };
    return undefined;
  }
  if (name === undefined) return part.reading.bad(place, "what is mocked? name stepId, or uri for an endpoint");
  if (second !== undefined) return part.bad(second, `a mock has one target, and ${name} names one already`);
  if (name === "uri") {
    const uri = part.text("uri", mostPattern);
    return uri === undefined ? undefined : { uri };
  }
  const stepId = part.text(name, mostStepId);
  return stepId === undefined ? undefined : { stepId };
}

function readActions(part: Part, place: string): readonly MockAction[] {
  const given = kinds.filter((name) => part.value(name) !== undefined);
  const [name, ...others] = given;
  if (name === undefined) {
    part.reading.bad(place, `what does it do? say one of ${kinds.join(", ")}`);
    return [];
  }
  if (others.length > 0) {
    part.reading.bad(place, `${given.join(" and ")} exclude each other: for one after the other, use sequence`);
  }
  if (name !== "sequence") {
    const action = readAction(part, name);
    return action === undefined ? [] : [action];
  }
  const list = part.value("sequence");
  if (!Array.isArray(list) || list.length === 0) {
    part.bad("sequence", `a list such as [{"respond": 1}, {"throw": "boom"}] is expected`);
    return [];
  }
  return list.flatMap((item: unknown, i) => readInSequence(item, within(part.at("sequence"), i), part.reading));
}

function readInSequence(item: unknown, place: string, reading: Reading): readonly MockAction[] {
  const part = reading.part(item, place, actionNames, { hints: actionHints });
  if (part === undefined) return [];
  const [name, ...others] = actionNames.filter((one) => part.has(one));
  if (name === undefined || others.length > 0) {
    reading.bad(place, `one of ${actionNames.join(", ")} is expected`);
    return [];
  }
  const action = readAction(part, name);
  return action === undefined ? [] : [action];
}

const whenFields = ["body", "headers", "expression"];

function readWhen(value: unknown, place: string, reading: Reading): MockCondition | undefined {
  // Without a condition that it was meant to have, a mock would answer calls that it is not for.
  const part = reading.part(value, place, whenFields, { strict: true });
  if (part === undefined) return undefined;
  if (isFields(value) && Object.keys(value).length === 0) {
    return reading.bad(place, `one of ${whenFields.join(", ")} is expected`);
  }
  const expression = part.value("expression");
  return present({
    body: part.value("body"),
    headers: part.object("headers", "an object of what headers are to be, by name,"),
    expression: expression === undefined ? undefined : readExpression(expression, part.at("expression"), reading),
  });
}
