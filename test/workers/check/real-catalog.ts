/** The check with all that the runtime has, for what is made of a text before its routes are read. */
import type { CheckResult, Params } from "../../../src/shared/check.ts";
import type { FlowModel, StepModel } from "../../../src/shared/flow-model.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { check } from "../../../src/workers/check-tasks.ts";
import { said } from "./small-catalog.ts";

export function checkReal(yaml: string, params: Params = {}): Promise<CheckResult> {
  return check({ flowId: "shop", yaml, params, limits: defaultLimits });
}

/** Throws with all diagnostics when there is an error. */
export async function modelReal(yaml: string, params: Params = {}): Promise<FlowModel> {
  const { flow, diagnostics } = await checkReal(yaml, params);
  if (flow === undefined) throw new Error(said(diagnostics).join("\n"));
  return flow.model;
}

/** `id from-uri [step types]` of each route; steps inside of steps are left out. */
export async function routesOf(yaml: string, params: Params = {}): Promise<string[]> {
  const { routes } = await modelReal(yaml, params);
  return routes.map(({ id, from, steps }) => `${id} ${from.endpoint.uri} [${steps.map(nameOf).join(", ")}]`);
}

function nameOf({ type, options }: StepModel): string {
  const { endpoint } = options as { endpoint?: { uri: string } };
  return endpoint === undefined ? type : `${type} ${endpoint.uri}`;
}

/** The errors alone: `7:11 unknown_step`. */
export async function errorsOf(yaml: string, params: Params = {}): Promise<string[]> {
  const { diagnostics } = await checkReal(yaml, params);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
}

export async function warningsOf(yaml: string, params: Params = {}): Promise<string[]> {
  const { diagnostics } = await checkReal(yaml, params);
  return diagnostics
    .filter(({ severity }) => severity === "warning")
    .map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
}
