/** The documents of `/_api/connections`. */
import * as z from "zod";
import { idPattern, idProblem } from "../../shared/ids.ts";
import { connectionKindSchemas } from "../connections/connection-schema.ts";
import { anyObject } from "./schemas.ts";

export const nameParams = z.object({
  name: z
    .string()
    .superRefine((text, context) => {
      const problem = idProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .meta({ pattern: idPattern }),
});

/** The reader of connections' documents checks it, and reports all problems at once. */
export const connectionBodySchema = anyObject.meta({
  id: "Connection",
  ...{ type: undefined, properties: undefined, additionalProperties: undefined },
  get oneOf() {
    return connectionKindSchemas();
  },
  description: "A named connection. Secrets in it are names of files in SECRETS_DIR/_connections, never values.",
});

export const connectionStateSchema = z
  .object({
    status: z
      .enum(["unknown", "ok", "failing"])
      .describe("unknown: nobody has opened it since the start; failing: the last attempt has failed."),
    open: z.int().describe("Open connections, of all threads."),
    idle: z.int().describe("Those that nobody uses."),
    waiting: z.int().describe("Runs that wait for one."),
    errors: z.int().describe("Attempts that failed, and connections that were lost, since the start of the runtime."),
    failingSince: z.string().nullable(),
    lastError: z.object({ message: z.string(), at: z.string() }).nullable(),
  })
  .meta({ id: "ConnectionState" });

const user = z.object({
  flowId: z.string(),
  routeId: z.string(),
  stepId: z.string().describe('"": the route\'s from.'),
});

export const connectionSummarySchema = z
  .object({
    name: z.string(),
    kind: z.string(),
    servers: z.array(z.object({ host: z.string(), port: z.int() })),
    default: z.boolean(),
    maxConnections: z.int().nullable().describe("null: the document cannot be used."),
    flows: z
      .array(z.string())
      .nullable()
      .describe("Patterns of the flows that may use it; null: those of its own group."),
    usedBy: z.array(user),
    lastModified: z.string(),
    hash: z.string(),
    revision: z.int(),
    state: connectionStateSchema,
    error: z.string().optional().describe("Why no flow can use it."),
  })
  .meta({ id: "ConnectionSummary" });

export const connectionDetailSchema = z
  .looseObject({ state: connectionStateSchema, usedBy: z.array(user) })
  .meta({ id: "ConnectionDetail", description: "The document as it was sent, with its state and its users." });

export const connectionPutSchema = z
  .object({
    name: z.string(),
    hash: z.string(),
    revision: z.int(),
    usedBy: z.array(user),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  })
  .meta({ id: "ConnectionPutAnswer" });

export const connectionRemovedSchema = z
  .object({
    name: z.string(),
    deleted: z.literal(true),
    stopped: z.array(user).describe("With force: where it was used; these routes are stopped."),
  })
  .meta({ id: "ConnectionDeleteAnswer" });

export const connectionTrialSchema = z
  .strictObject({ document: connectionBodySchema.optional().describe("Tried in place of the one that is kept.") })
  .meta({ id: "ConnectionTest" });

export const connectionTestSchema = z
  .object({
    ok: z.boolean(),
    serverVersion: z.string().optional(),
    tls: z.string().nullable().optional().describe("The version of TLS; null: it is not encrypted."),
    connectMs: z.number().optional().describe("Until the connection was open."),
    latencyMs: z.number().optional().describe("Of one question to the server."),
    error: z.string().optional().describe("Why it cannot be opened."),
  })
  .meta({ id: "ConnectionTestAnswer" });
