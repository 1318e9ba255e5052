/** What answers about a flow have of its access policy. */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { AppError } from "../../shared/errors.ts";
import type { InForce, PolicyDocument } from "../access/planned-policy.ts";
import type { PolicyWarning } from "../access/policy.ts";
import type { Warning } from "../flows/flow-service.ts";
import type { Services } from "./services.ts";

type KnownPolicies = Pick<Services["policies"], "inForce">;

/** Null: the flow has none. */
export function policyFacts(policies: KnownPolicies, flowId: string) {
  const found = policies.inForce(flowId);
  if (found === undefined) return null;
  const { hash, revision, policy } = found;
  return { hash, revision, mode: policy.mode, understood: policy.understood, writtenBy: writtenBy(found) };
}

export function writtenBy({ writtenBy }: Pick<InForce, "writtenBy">) {
  return writtenBy ?? null;
}

/** The warnings of the policy in force. */
export function policyWarnings(policies: KnownPolicies, flowId: string): readonly Warning[] {
  return (policies.inForce(flowId)?.policy.warnings ?? []).map(warningOf);
}

const nowhere = { endLine: null, endColumn: null, routeId: null, stepId: null };

/** What a diagnostic has beside a warning. */
export const aWarning = { severity: "warning", pointer: "", ...nowhere } as const;

/** What an error of a part of the body has beside its code and message. */
export const anError = { severity: "error", pointer: "", line: null, column: null, ...nowhere } as const;

/** What a PUT would say of the policy. `sent`: null or undefined: it has none. */
export function policyDiagnostics(
  policies: Pick<Services["policies"], "plan">,
  flowId: string,
  sent: PolicyDocument | null | undefined,
): readonly Diagnostic[] {
  if (sent === undefined || sent === null) return [];
  const pointer = "/policy";
  try {
    const { warnings } = policies.plan(flowId, sent);
    return warnings.map((warning) => ({ ...aWarning, pointer, ...warningOf(warning) }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    return [{ ...anError, code, message, pointer }];
  }
}

function warningOf({ code, message }: PolicyWarning): Warning {
  return { code, message: `policy: ${message}`, line: null, column: null };
}
