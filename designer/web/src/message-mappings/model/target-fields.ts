/** The fields of the result: what the schema asks for, what a sample has, and what rules set. */
import { type FieldNode, fieldsOf } from "./fields.ts";
import { isListStep, pointerOf } from "./names.ts";
import { allRules, type Rule } from "./rules.ts";
import { merged, type Shape, shapeOfSample, shapeOfSchema } from "./shape.ts";

interface TargetSide {
  readonly schema: unknown;
  /** undefined: there is none. */
  readonly sample: unknown;
  readonly rules: readonly Rule[];
  /** What the whole result is called. */
  readonly name: string;
}

export function targetFields({ schema, sample, rules, name }: TargetSide): FieldNode {
  const shapes = [
    shapeOfSchema(schema),
    sample === undefined ? undefined : withoutValues(shapeOfSample(sample)),
    ...allRules(rules).map(({ steps, forEach }) => steps && shapeOfSteps(steps, forEach !== undefined)),
  ];
  const none: Shape = { kind: "object", members: new Map() };
  return fieldsOf(
    shapes.filter((one) => one !== undefined).reduce<Shape | undefined>((all, one) => merged(all, one), undefined) ??
      none,
    name,
  );
}

function shapeOfSteps(steps: readonly string[], isList: boolean): Shape {
  const last: Shape = isList ? { kind: "list", item: undefined } : { kind: "value", type: "", sample: undefined };
  return steps.reduceRight<Shape>(
    (inner, step) =>
      isListStep(step)
        ? { kind: "list", item: inner }
        : { kind: "object", members: new Map([[step, { shape: inner, isRequired: false }]]) },
    last,
  );
}

/** Values of a sample of the result are no values of a message. */
function withoutValues(shape: Shape): Shape {
  if (shape.kind === "value") return { ...shape, sample: undefined };
  if (shape.kind === "list") return { kind: "list", item: shape.item && withoutValues(shape.item) };
  const members = [...shape.members].map(([name, one]) => [name, { ...one, shape: withoutValues(one.shape) }] as const);
  return { kind: "object", members: new Map(members) };
}

/** The key of the field that a rule sets; undefined: its target cannot be read. */
export function targetKey({ steps }: Rule): string | undefined {
  return steps && pointerOf(steps.filter((step) => !isListStep(step)));
}
