/** The options of a flow in the documents of the API: how they are sent, and how they are reported. */
import * as z from "zod";
import type { Params } from "../../shared/check.ts";
import { type Fields, isFields } from "../../shared/document-fields.ts";
import { liftLimits, type OptionsChange } from "../stores/flow-options.ts";
import { anyObject, textUpTo } from "./schemas.ts";

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

const settings = {
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

export const writtenBySchema = z
  .object({
    via: z.string().describe("The call, or the file, that wrote it."),
    actor: z.string().optional().describe("The caller, as the audit log names it."),
    at: z.string(),
  })
  .nullable()
  .describe("null: it is not known.");

/** As they are set: of a flow, and of a revision. */
export const optionFields = {
  params,
  limits,
  ...z.object({ ...settings, ...about }).partial().shape,
};

/** The access policy of a flow beside its options: reported by its version, since PUT /_api/auth writes it, too. */
export const reportedPolicy = z
  .object({
    hash: z.string(),
    revision: z.int(),
    mode: z.enum(["enforce", "report"]),
    understood: z.boolean(),
    writtenBy: writtenBySchema,
  })
  .nullable()
  .optional()
  .describe(
    "The access policy in force, and who wrote it last; null: there is none. GET /_api/auth/:flowId has its document.",
  );

/** As they are sent: a field that is left out stays as it is, null removes it. */
export const sentOptionFields = {
  params: params.nullish(),
  limits: limits.nullish(),
  isolation: settings.isolation.nullish(),
  threads: settings.threads.nullish(),
  record: settings.record.nullish(),
  keepFailed: settings.keepFailed.nullish(),
  logHandled: settings.logHandled.nullish(),
  description: about.description.nullish(),
  category: about.category.nullish(),
  tests: about.tests.nullish(),
  policy: anyObject
    .nullish()
    .describe(
      "The flow's access policy, the document of PUT /_api/auth/:flowId, but without keys in clear; null removes it.",
    ),
};

/** As an answer has them. */
export const reportedOptionFields = {
  ...optionFields,
  policy: reportedPolicy,
  inForce: z
    .object(settings)
    .optional()
    .describe(
      "The settings that the flow has, those of the runtime included; absent: the operator no longer allows what is set.",
    ),
};

type Sent = z.output<z.ZodObject<typeof sentOptionFields>>;

/** Throws bad_request for a setting that is sent twice with different values. */
export function sentOptions(sent: Sent): OptionsChange {
  const { params, limits, isolation, threads, record, keepFailed, logHandled, description, category, tests } = sent;
  return liftLimits({
    ...{ isolation, threads, record, keepFailed, logHandled, description, category, tests },
    // A param is inserted into a text: as a string it keeps every digit, also in the store.
    params: withoutBigints(params, String),
    // No limit is that high, so the number is refused with the reason.
    limits: withoutBigints(limits, Number),
  });
}

/** Converts each whole number beyond 2^53. */
function withoutBigints<T extends string | number | boolean | null, U extends string | number>(
  sent: Readonly<Record<string, T | bigint>> | null | undefined,
  other: (value: bigint) => U,
): Readonly<Record<string, T | U>> | null | undefined {
  if (sent === null || sent === undefined) return sent;
  const entries = Object.entries(sent);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "bigint" ? other(value) : value]));
}
