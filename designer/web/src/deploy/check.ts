/** What a runtime says to a flow before it is deployed. */

import { orThrow } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import type { Options } from "../../../shared/wire.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { optionsToSend } from "./options.ts";
import type { Travelling } from "./travelling.ts";

export type FlowProblem = Schemas["ValidateAnswer"]["diagnostics"][number];

export interface Check {
  readonly isValid: boolean;
  readonly problems: readonly FlowProblem[];
  readonly plan: Schemas["Plan"];
}

export interface Content {
  readonly yaml: string;
  readonly options: Options;
}

interface Together {
  readonly id: string;
  readonly target: string;
  readonly content: Content;
  readonly mappings: readonly Travelling[];
}

/**
 * What is found in the flow and its mappings together: a mapping that comes along is not missing, and what the runtime
 * would refuse of the mappings is a problem.
 */
export async function checkWith(check: Check, { id, target, content, mappings }: Together): Promise<Check> {
  if (mappings.length === 0) return check;
  const isComing = (message: string): boolean =>
    mappings.some((one) => one.before === undefined && message.includes(`'${one.id}'`));
  const problems = check.problems.filter(({ code, message }) => code !== "missing_mapping" || !isComing(message));
  if (!check.isValid) return { ...check, problems };
  const { yaml } = content;
  // The policy is compared and checked by itself, and not everybody may send one.
  const { policy: _, ...options } = content.options;
  const { error } = await runtimeOf(target).POST("/_api/deployments", {
    params: { query: { dryRun: true } },
    body: {
      flows: [{ id, yaml, ...optionsToSend(options) }],
      mappings: mappings.map(({ kind, id: name, text }) => ({ kind, id: name, text })),
    },
  });
  if (error === undefined) return { ...check, problems };
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  const found: FlowProblem = { ...nowhere, severity: "error", code: error.code, message: error.message };
  return { ...check, isValid: false, problems: [...problems, found] };
}

const nowhere = {
  ...{ line: null, column: null, endLine: null, endColumn: null },
  ...{ pointer: "", routeId: null, stepId: null },
} as const;

export async function checkFlow(id: string, target: string, { yaml, options }: Content): Promise<Check> {
  const { valid, diagnostics, plan } = await orThrow(
    runtimeOf(target).POST("/_api/flows/{id}/validate", {
      params: { path: { id } },
      body: { yaml, ...optionsToSend(options) },
    }),
  );
  return { isValid: valid, problems: diagnostics, plan };
}
