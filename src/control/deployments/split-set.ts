/** Has a check thread parse the body of a deployment: the main thread never waits for 64 MiB of JSON. */
import * as z from "zod";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { SplitRequest } from "../../shared/set-document.ts";
import { type CheckPool, readAnswer } from "../flows/check-pool.ts";
import type { SplitSet } from "./set-document.ts";

/** What a thread may refuse a body with. */
const refusals = ["bad_json", "bad_request", "body_too_large"] as const satisfies readonly ErrorCode[];
const answerSchema = z.union([
  z.object({ problem: z.string().max(2000), code: z.enum(refusals) }),
  z.object({ rest: z.unknown(), documents: z.array(z.instanceof(Uint8Array)) }),
]);

/** Everything but YAML and mappings is read by the main thread: as much as this many management requests may have. */
const restBodies = 4;

/** Throws AppErrors: bad_json, bad_request, body_too_large. */
export async function splitSet(checks: CheckPool, limits: Limits, body: Uint8Array): Promise<SplitSet> {
  const { mappingBytes, managementBodyBytes, mappingCheckMs } = limits;
  const copy = new Uint8Array(body);
  const request: SplitRequest = { body: copy, mappingBytes, restBytes: restBodies * managementBodyBytes };
  const result = await checks.task("splitDeployment", request, limits, mappingCheckMs, [copy.buffer]);
  if ("failed" in result) {
    const why = { late: "takes too long", memory: "needs too much memory", ended: "ended its thread" }[result.failed];
    throw new AppError(
      "body_too_large",
      `reading the set ${why}: split it, or try again when the machine is less busy`,
    );
  }
  const answer = readAnswer(answerSchema, result.answer);
  if ("problem" in answer) throw new AppError(answer.code, answer.problem);
  return answer;
}
