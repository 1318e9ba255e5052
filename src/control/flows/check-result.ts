/** What a check thread answers, read as from a stranger: it has just read a text that anybody may have written. */
import * as z from "zod";
import type { CheckRequest, CheckResult } from "../../shared/check.ts";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { isFields } from "../../shared/document-fields.ts";
import type { FlowModel } from "../../shared/flow-model.ts";
import { readAnswer } from "../../shared/read-answer.ts";
import { readManifest } from "../threads/line/thread-frames.ts";

const place = z.int().positive().nullable();
const id = z.string().nullable();
const diagnostic: z.ZodType<Diagnostic> = z.object({
  ...{ severity: z.enum(["error", "warning"]), code: z.string(), message: z.string() },
  ...{ line: place, column: place, endLine: place, endColumn: place },
  ...{ pointer: z.string(), routeId: id, stepId: id },
});

function answerFor(flowId: string) {
  const isModel = (value: unknown): boolean =>
    isFields(value) && value["flowId"] === flowId && Array.isArray(value["routes"]);
  return z.object({
    flow: z
      .object({ model: z.custom<FlowModel>(isModel, "the flow that was asked for is expected"), manifest: z.unknown() })
      .optional(),
    diagnostics: z.array(diagnostic),
  });
}

/** Throws for an answer that the runtime's own checks never give. Control goes by its own request for which flow it is about. */
export function readCheckResult(told: unknown, { flowId }: CheckRequest): CheckResult {
  const { flow, diagnostics } = readAnswer(answerFor(flowId), told);
  if (flow === undefined) return { diagnostics };
  return { flow: { model: flow.model, manifest: readManifest(flow.manifest, flow.model) }, diagnostics };
}
