/** The options of a flow in documents: in the body of a PUT, in a set, and in the companion file `<id>.flow.yaml`. */
import * as z from "zod";
import type { Params } from "./check.ts";
import { type Fields, isFields, isUpTo } from "./document-fields.ts";

/**
 * Makes the schema of a map of single values by name. Not a zod record, which drops the name `__proto__` silently. A number is finite,
 * or a bigint for a whole one beyond 2^53. `kind`: the map, `types`: the JSON types of its values, as messages name them.
 */
function valuesByName<Value>(kind: string, types: Readonly<Record<string, string>>, description: string) {
  const wanted = Object.values(types)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");
  return z
    .custom<Readonly<Record<string, Value>>>()
    .superRefine((input, { addIssue }) => {
      if (typeof input !== "object" || input === null || Array.isArray(input))
        addIssue({ code: "custom", message: `must be ${kind}` });
      else if (Object.hasOwn(input, "__proto__"))
        addIssue({ code: "custom", message: "must not have the name '__proto__'" });
      else
        for (const [name, value] of Object.entries(input))
          if (!Object.hasOwn(types, jsonTypeOf(value)))
            addIssue({ code: "custom", path: [name], message: `must be ${wanted}` });
    })
    .meta({
      type: "object",
      propertyNames: { not: { const: "__proto__" } },
      additionalProperties: { type: Object.keys(types) },
      description,
    });
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return "number";
  return typeof value === "number" && !Number.isFinite(value) ? "infinite" : typeof value;
}

const limitTypes = { number: "a number", string: "a string", boolean: "a boolean" };

const params = valuesByName<Params[string] | bigint>(
  "an object",
  { ...limitTypes, null: "null" },
  "Values for {{name}} placeholders. A whole number beyond 2^53 is kept as text, with every digit.",
);

const limits = valuesByName<number | bigint | string | boolean>(
  "an object of names of the limits table and their values",
  limitTypes,
  "Numbers by their names in the limits table: docs/operating.md. isolation, threads, record and logHandled may stand here when they are sent; they are reported as fields of their own.",
);

const mostTests = 1000;
/** Not a zod record, which drops the name `__proto__` silently. */
const test = z
  .custom<Fields>(isFields, "must be a test: an object as in a test file")
  .meta({ type: "object", additionalProperties: true });

/** Settings that the runtime has a default for. */
export const settingFields = {
  isolation: z
    .enum(["thread", "process"], "must be thread or process")
    .describe("Where its threads run; left out: where the operator has them run."),
  threads: z
    .int("must be a whole number from 1")
    .positive("must be a whole number from 1")
    .describe("How many it has."),
  record: z
    .enum(["off", "errors", "all"], "must be off, errors or all")
    .describe("What is recorded of its runs; left out: errors."),
  keepFailed: z
    .union([z.boolean(), z.literal("all")], "must be true, false or all")
    .describe(
      "Which failed messages are kept; left out: true, those whose sender was not told. all: also those of callers.",
    ),
  logHandled: z
    .boolean("must be true or false")
    .describe("Whether failures that it handles are logged; left out: true."),
};

const about = {
  description: textUpTo(4000).describe("What the flow is for, for people."),
  category: textUpTo(200).describe("What lists group it by, for people."),
  tests: z
    .array(test, "must be a list of tests")
    .max(mostTests, `must have at most ${mostTests} tests`)
    .describe(
      "Tests of the flow, each as in a test file (docs/testing-flows.md). They are kept with the flow, and run by tools.",
    ),
};

/** A text of at most so many characters, counted as JSON Schema counts them. */
function textUpTo(most: number) {
  return z
    .string()
    .refine((text) => isUpTo(text, most), `must have at most ${most} characters`)
    .meta({ maxLength: most });
}

/** As they are set: of a flow, and of a revision. */
export const optionFields = {
  params,
  limits,
  ...z.object({ ...settingFields, ...about }).partial().shape,
};

/** As they are sent: a field that is left out stays as it is, null removes it. */
export const sentOptionFields = {
  params: params.nullish(),
  limits: limits.nullish(),
  isolation: settingFields.isolation.nullish(),
  threads: settingFields.threads.nullish(),
  record: settingFields.record.nullish(),
  keepFailed: settingFields.keepFailed.nullish(),
  logHandled: settingFields.logHandled.nullish(),
  description: about.description.nullish(),
  category: about.category.nullish(),
  tests: about.tests.nullish(),
  policy: z
    .looseObject({}, "must be an object")
    .nullish()
    .describe(
      "The flow's access policy, the document of PUT /_api/auth/:flowId, but without keys in clear; null removes it.",
    ),
};

/** The companion file. Unknown fields are refused: nobody would see a warning. */
export const companionSchema = z.strictObject(sentOptionFields);

export type SentOptions = z.output<z.ZodObject<typeof sentOptionFields>>;
