/** The documents of `/_api/deployments`. */
import * as z from "zod";
import { sentOptionFields } from "../../shared/document-options.ts";
import { flowIdPattern, flowIdProblem, idPattern, idProblem } from "../../shared/ids.ts";
import type { RawBody } from "./body.ts";
import { anyObject, wellFormed } from "./schemas.ts";

/** An id in a document, of whatever it names. */
function idOf(problemOf: (id: string) => string | undefined, pattern: string) {
  return z
    .string({ error: "must be an id" })
    .superRefine((text, context) => {
      const problem = problemOf(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: `is no id: ${problem}` });
    })
    .meta({ pattern });
}

const id = idOf(idProblem, idPattern);
const flowId = idOf(flowIdProblem, flowIdPattern);

const kind = z.enum(["value", "message"], "must be value or message");

const conditions = {
  ifMatch: z
    .string("must be the ETag of a version")
    .optional()
    .describe("The ETag of the version that it replaces: if there is another one by now, nothing is deployed (412)."),
  ifNoneMatch: z
    .literal("*", "must be *")
    .optional()
    .describe("`*`: it is not there yet; if it is, nothing is deployed (412)."),
};

/** Loose: unknown fields are answered with warnings. */
const setFlow = z.looseObject({
  id: flowId,
  ...conditions,
  yaml: z
    .string("must be the flow's YAML as a string")
    .refine((text) => text.isWellFormed(), "must not have half a surrogate pair")
    .meta({ pattern: wellFormed }),
  ...sentOptionFields,
});

const setPolicy = z.looseObject({
  flowId,
  policy: anyObject.describe("As PUT /_api/auth/:flowId takes it, but without keys in clear."),
});

const setConnection = z.looseObject({
  name: id,
  document: anyObject.describe("As PUT /_api/connections/:name takes it."),
});

const parts = {
  set: id
    .optional()
    .describe(
      "The name of the set, by which prune=true knows what it has brought. Without it each part stays of the set that it is of.",
    ),
  flows: z.array(setFlow, "must be a list of flows").optional(),
  policies: z.array(setPolicy, "must be a list of policies").optional(),
  connections: z.array(setConnection, "must be a list of connections").optional(),
};

const setMapping = z.looseObject({ kind, id, ...conditions });

/** What is left of the body when a check thread has taken the documents of mappings out. */
export const setRestSchema = z.looseObject({
  ...parts,
  mappings: z.array(setMapping, "must be a list of mappings").optional(),
});

const wholeMapping = setMapping
  .extend({
    document: anyObject.optional().describe("As the PUT of the mapping takes it."),
    text: z
      .string()
      .min(1)
      .meta({ contentMediaType: "application/json" })
      .optional()
      .describe("The document as JSON in a text, in place of `document`: it is kept as it is, spaces included."),
  })
  .meta({ oneOf: [{ required: ["document"] }, { required: ["text"] }] });
const whole = z.looseObject({ ...parts, mappings: z.array(wholeMapping).optional() });
/** That there is nothing to deploy. As the negation of `anyOf`, of which generators of types would make a union. */
const nothing = {
  allOf: [
    { not: { required: ["set"] } },
    ...["flows", "mappings", "policies", "connections"].map((name) => ({
      properties: { [name]: { maxItems: 0 } },
    })),
  ],
};

const { $schema: _, ...described } = z.toJSONSchema(whole, { io: "input", unrepresentable: "any" });

/** A check thread reads the body; the schema only describes it for authors. */
export const setSchema = z
  .custom<RawBody>(() => true)
  .meta({
    ...described,
    id: "Set",
    not: nothing,
    description: "Everything that belongs to the set. Options that a flow leaves out are not set afterwards.",
  });

const warning = z.object({
  code: z.string(),
  message: z.string(),
  line: z.int().nullable().optional(),
  column: z.int().nullable().optional(),
});

const outcome = {
  action: z.enum(["create", "replace", "unchanged", "remove"]),
  revision: z.int().describe("After the deployment, in a dry run before it; 0: there is none."),
  warnings: z.array(warning),
  diff: z.string().optional().describe("In a dry run, of what changes: a unified diff."),
};

export const setAnswerSchema = z
  .object({
    set: z.string().optional(),
    dryRun: z.boolean(),
    changed: z.boolean().describe("false: everything was as the set has it."),
    flows: z
      .array(z.object({ id: z.string(), hash: z.string(), ...outcome }))
      .describe("In the order in which they came into service; those that were removed last."),
    mappings: z.array(z.object({ kind, id: z.string(), ...outcome })),
    policies: z.array(z.object({ flowId: z.string(), ...outcome })),
    connections: z.array(z.object({ name: z.string(), ...outcome })),
    warnings: z.array(warning).describe("Of the set as a whole."),
  })
  .meta({ id: "SetAnswer" });

/** The fields of a set and of the entries of its lists. */
export const knownOfSet = {
  set: Object.keys(whole.shape),
  flow: Object.keys(setFlow.shape),
  mapping: Object.keys(wholeMapping.shape),
  policy: Object.keys(setPolicy.shape),
  connection: Object.keys(setConnection.shape),
} as const;
