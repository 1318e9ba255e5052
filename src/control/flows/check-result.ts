/** What a check thread answers, read as from a stranger: it has just read a text that anybody may have written. */
import type { CheckRequest, CheckResult } from "../../shared/check.ts";
import { readManifest } from "../threads/thread-frames.ts";

/** Throws for an answer that the runtime's own checks never give. Control goes by its own request for which flow it is about. */
export function readCheckResult(told: unknown, { flowId }: CheckRequest): CheckResult {
  const { flow, diagnostics } = (told ?? {}) as Partial<CheckResult>;
  if (!Array.isArray(diagnostics) || !diagnostics.every(isDiagnostic)) throw new Error("a check answers diagnostics");
  if (flow === undefined) return { diagnostics };
  const { model } = flow;
  if (model?.flowId !== flowId || !Array.isArray(model.routes))
    throw new Error("a check answers the flow that was asked for");
  return { flow: { model, manifest: readManifest(flow.manifest, model) }, diagnostics };
}

function isDiagnostic(value: unknown): boolean {
  const { severity, code, message } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (severity === "error" || severity === "warning") && typeof code === "string" && typeof message === "string";
}
