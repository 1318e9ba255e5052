/** What a runtime says to a flow before it is deployed. */
import { orThrow } from "../../../../src/client/client.ts";
import type { Options } from "../../../shared/wire.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { optionsToSend } from "./options.ts";

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

export async function checkFlow(id: string, target: string, { yaml, options }: Content): Promise<Check> {
  const { valid, diagnostics, plan } = await orThrow(
    runtimeOf(target).POST("/_api/flows/{id}/validate", {
      params: { path: { id } },
      body: { yaml, ...optionsToSend(options) },
    }),
  );
  return { isValid: valid, problems: diagnostics, plan };
}
