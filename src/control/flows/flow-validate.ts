/** What is wrong with a flow's document, all of it, and what deploying it would do. */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { AppError } from "../../shared/errors.ts";
import type { Deployer } from "./deployer.ts";
import type { FlowDocument, ValidateAnswer } from "./flow-service.ts";
import { missingMappings } from "./missing-mappings.ts";
import { planOf } from "./plan.ts";

export async function validateFlow(
  { parts: { checks, settings, register, mappingAccess, variables } }: Deployer,
  id: string,
  { yaml, params = {}, limits: overrides = {} }: FlowDocument,
): Promise<ValidateAnswer> {
  const problem = refusalOf(() => settings(overrides));
  const { limits } = settings(problem === undefined ? overrides : {});
  const { flow, diagnostics } = await checks.check({ flowId: id, yaml, params, limits, variables: variables(id) });
  const absent = flow === undefined ? [] : missingMappings(id, flow.manifest, mappingAccess);
  return {
    valid: flow !== undefined && problem === undefined && absent.every(({ severity }) => severity !== "error"),
    routeCount: flow?.model.routes.length ?? 0,
    diagnostics: [...diagnostics, ...absent, ...(problem === undefined ? [] : [problem])],
    plan: planOf(register.get(id)?.deployment?.manifest, flow?.manifest),
  };
}

/** The AppError that `work` throws, as a problem of the document; other errors pass. */
function refusalOf(work: () => unknown): Diagnostic | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const nowhere = { line: null, column: null, endLine: null, endColumn: null, routeId: null, stepId: null };
    return { severity: "error", code: error.code, message: error.message, pointer: "", ...nowhere };
  }
}
