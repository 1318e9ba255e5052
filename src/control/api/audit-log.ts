/** `GET /_api/audit`: the lines of the audit log, newest first. */
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import { ownActions } from "../audit/audit-line.ts";
import { auditOutcomes } from "../audit/read-audit.ts";
import { type Action, type Endpoint, endpoint } from "./endpoint.ts";
import { jsonAnswer, moment, mostWhole, once, oneOf, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";

const defaultLimit = 50;
const mostLines = 500;

/** The actions of calls that are recorded, as `isAudited` has them. */
type RecordedAction =
  | Exclude<Extract<Action, `${string}.write` | `${string}.operate` | `failed.${string}`>, "failed.list">
  | "runs.start"
  | "runs.cancel"
  | "tests.run"
  | "connections.test"
  | "runtime.backup";

const recorded = {
  "flows.write": true,
  "flows.operate": true,
  "mappings.write": true,
  "policies.write": true,
  "connections.write": true,
  "connections.test": true,
  "state.write": true,
  "runs.start": true,
  "runs.cancel": true,
  "tests.run": true,
  "failed.read": true,
  "failed.retry": true,
  "failed.discard": true,
  "runtime.backup": true,
} as const satisfies Readonly<Record<RecordedAction, true>>;

const recordedActions = [...(Object.keys(recorded) as RecordedAction[]), ...ownActions];

const query = z.strictObject({
  limit: wholeNumber("a positive whole number", 1, mostWhole).optional(),
  before: wholeNumber("the number of a line", 1, mostWhole)
    .optional()
    .describe("Only lines before the one with this seq."),
  since: moment.optional().describe("Reading ends at the first line from before it."),
  action: oneOf(recordedActions).optional(),
  resource: once("the id of a flow or of something else")
    .optional()
    .describe("Lines with this resource, and those about what is in it: orders is the resource of orders/seen, too."),
  outcome: oneOf(auditOutcomes).optional().describe("failed: the answer was an error."),
});

const entrySchema = z
  .object({
    seq: z.int().describe("1, 2, 3, ... without a gap, over files and restarts."),
    at: z.string(),
    prev: z.string().describe("The hash of the line before."),
    hash: z.string().describe("The SHA-256 of prev and the line without its hash."),
    actor: z.string().describe("The beginning of the token's SHA-256, anonymous or runtime."),
    address: z.string().nullable().describe("The peer of the connection."),
    method: z.string().nullable(),
    path: z.string().nullable(),
    action: z.string(),
    resource: z.string().nullable().describe("The id that the path names."),
    status: z.int().nullable(),
    code: z.string().nullable().describe("X-Error-Code; null: the call has succeeded, or there was none."),
    before: z.string().nullable().describe("The hash of the resource when the call's turn came; null: there was none."),
    after: z.string().nullable().describe("The same when the call was over."),
    durationMs: z.number().nullable(),
    requestId: z.string().nullable().describe("The answer's X-Request-Id."),
    note: z.string().optional().describe("Only in lines of the log itself."),
  })
  .meta({ id: "AuditEntry" });

const pageSchema = z
  .object({
    entries: z.array(entrySchema),
    next: z
      .int()
      .nullable()
      .describe(
        "The value of before for the lines before these; null: there are none. There may be fewer lines than limit, or none, before that: at most 8 MiB of the log are read for an answer.",
      ),
    problems: z
      .array(z.string())
      .describe("What could not be read, and where the chain is broken, as far as it was read."),
  })
  .meta({ id: "AuditPage" });

export function auditEndpoints({ audit }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/audit",
      action: "audit.read",
      name: "listAudit",
      summary: `The lines of the audit log, newest first. limit: ${defaultLimit} by default, at most ${mostLines}.`,
      query,
      answers: { 200: jsonAnswer("The lines that match.", pageSchema) },
      errors: ["not_found", "store_failed"],
      async handle({ query: { limit = defaultLimit, ...filter } }) {
        if (audit === undefined) throw new AppError("not_found", "this runtime keeps no audit log");
        return audit.trail.read({ ...filter, limit: Math.min(limit, mostLines) }).catch((error: unknown) => {
          const why = error instanceof Error && "code" in error ? ` (${error.code})` : "";
          throw new AppError("store_failed", `the audit log cannot be read${why}: see DATA_DIR/audit`);
        });
      },
    }),
  ];
}
