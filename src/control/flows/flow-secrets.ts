/** Reads the secrets and the variables of the environment that a flow names, when a thread adopts the flow. The values are kept nowhere. */
import { AppError } from "../../shared/errors.ts";
import { shortestMasked } from "../../shared/secret-mask.ts";
import { environmentValue, type FlowEnvironment } from "../stores/flow-environment.ts";
import type { Secrets } from "../stores/secrets.ts";
import type { FlowResources } from "../threads/pooled-flow.ts";
import { CompileFailure } from "../threads/pooled-flow.ts";

/** `warn`: called for values that are too short to be masked in what a flow logs. */
export function flowSecrets(
  secrets: Secrets,
  environment: FlowEnvironment,
  warn: (flowId: string, message: string) => void,
): FlowResources["secrets"] {
  return async (flowId, names) => {
    const values: [name: string, value: string][] = [];
    for (const name of names) {
      const variable = variableOf(environment, flowId, name);
      if (variable !== undefined) {
        values.push([name, variable]);
        continue;
      }
      const value = await read(secrets, flowId, name);
      if (value.length < shortestMasked) {
        warn(
          flowId,
          `secret '${name}' has fewer than ${shortestMasked} characters: logs, traces and records do not hide it`,
        );
      }
      values.push([name, value]);
    }
    return Object.fromEntries(values);
  };
}

function variableOf(environment: FlowEnvironment, flowId: string, name: string): string | undefined {
  try {
    return environmentValue(environment, flowId, name);
  } catch (error) {
    throw new CompileFailure(error instanceof Error ? error.message : String(error));
  }
}

async function read(secrets: Secrets, flowId: string, name: string): Promise<string> {
  try {
    const value = await secrets.read(flowId, name);
    if (value !== undefined) return value;
  } catch (error) {
    if (error instanceof AppError) throw new CompileFailure(error.message);
    throw error;
  }
  throw new CompileFailure(
    `secret '${name}' is not there: put its value into SECRETS_DIR/${flowId}/${name} or SECRETS_DIR/_shared/${name} (the runtime is told SECRETS_DIR when it is started)`,
  );
}
