/** What the calls that deploy a flow share: their query, their errors, their answer. */
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { limitTable } from "../../shared/limits.ts";
import type { PutAnswer, PutOptions, Warning } from "../flows/flow-service.ts";
import { flowTag } from "./representations.ts";
import { flag, wholeNumber } from "./schemas.ts";

const mostDrainMs = limitTable.drainMs.ceiling;
export const drainMs = wholeNumber(`a number of milliseconds from 0 to ${mostDrainMs}`, 0, mostDrainMs).optional();
export const putQuery = z.strictObject({ dryRun: flag.optional(), drainMs });
/** Of whatever deploys a flow. */
export const deployErrors = [
  "flow_invalid",
  "limit_not_allowed",
  "route_taken",
  "direct_taken",
  "path_taken",
  "id_case_clash",
  "flow_failed",
  "no_thread",
  "store_failed",
  "lock_lost",
  "disk_full",
  "draining",
] as const;

export function putOptions(query: z.output<typeof putQuery>, { headers }: FastifyRequest): PutOptions {
  const { dryRun, drainMs } = query;
  return { dryRun, drainMs, ifMatch: headers["if-match"], ifNoneMatch: headers["if-none-match"] };
}

/** Sets status and headers; `warnings` come before the answer's own. */
export function installed(reply: FastifyReply, id: string, answer: PutAnswer, warnings: readonly Warning[]): PutAnswer {
  if (answer.dryRun !== true) {
    if (answer.created) reply.code(201).header("Location", `/_api/flows/${id}`);
    reply.header("ETag", flowTag(answer));
  }
  return { ...answer, warnings: [...warnings, ...answer.warnings] };
}

export function unknownFields(body: object, known: readonly string[]): Warning[] {
  return Object.keys(body)
    .filter((name) => !known.includes(name))
    .slice(0, 20)
    .map((name) => ({
      code: "unknown_field",
      message: `the body's field '${name.slice(0, 100)}' means nothing here; known: ${known.join(", ")}`,
      line: null,
      column: null,
    }));
}
