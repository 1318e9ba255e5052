/** Connections that a flow uses and does not get: a warning where it is checked, and a refusal where it is to run. */
import type { ConnectionUse } from "../../shared/connection.ts";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { AppError } from "../../shared/errors.ts";
import type { FlowManifest } from "../../shared/manifest.ts";

/** The named connections of the installation. */
export interface AccessToConnections {
  /** Resolves when they are loaded. */
  readonly loaded: Promise<void>;
  /** Returns why the flow does not get a connection that it uses; undefined: it does. */
  problem(flowId: string, use: ConnectionUse): string | undefined;
  /** Returns a hint where a server has the name of a connection; undefined: it has none. */
  hint(use: ConnectionUse): string | undefined;
}

type Manifest = Pick<FlowManifest, "connections" | "steps">;

/** The check does not depend on the installation, so these are no errors. */
export async function missingConnections(
  flowId: string,
  { connections = [], steps }: Manifest,
  access: AccessToConnections,
): Promise<readonly Diagnostic[]> {
  if (connections.length > 0) await access.loaded;
  return connections.flatMap((use) => {
    const problem = access.problem(flowId, use);
    const hint = access.hint(use);
    if (problem === undefined && hint === undefined) return [];
    const { routeId, stepId } = use;
    const at = steps.find((step) => step.id === stepId && step.routeId === routeId)?.at;
    const diagnostic: Diagnostic = {
      severity: "warning",
      ...(problem === undefined
        ? { code: "connection_as_host", message: hint ?? "" }
        : { code: "missing_connection", message: `${problem}; the flow cannot be deployed before` }),
      line: at?.line ?? null,
      column: at?.column ?? null,
      endLine: at?.endLine ?? null,
      endColumn: at?.endColumn ?? null,
      pointer: "",
      routeId,
      stepId: stepId === "" ? null : stepId,
    };
    return [diagnostic];
  });
}

/** Throws connection_missing for a flow that does not get one of its connections. */
export async function refuseMissingConnections(
  flowId: string,
  { connections = [] }: Manifest,
  access: AccessToConnections,
): Promise<void> {
  if (connections.length === 0) return;
  await access.loaded;
  for (const use of connections) {
    const problem = access.problem(flowId, use);
    if (problem === undefined) continue;
    const at = use.stepId === "" ? `the route '${use.routeId}'` : `the step '${use.stepId}' of route '${use.routeId}'`;
    throw new AppError("connection_missing", `${at} needs a connection: ${problem}`);
  }
}
