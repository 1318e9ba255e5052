/**
 * Mappings that a flow names and is not given: one that is not there is a warning when the flow is deployed, and an error when a run
 * asks for it; one of another group is refused.
 */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { groupOf } from "../../shared/ids.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { MappingKind } from "../../shared/mapping.ts";

export type MappingAccess = "given" | "missing" | "other_group";

export type AccessToMapping = (flowId: string, kind: MappingKind, id: string) => MappingAccess;

/** The same as one line for the log, where nobody waits for an answer; undefined: nothing is missing. */
export function toldOfMissing(flowId: string, manifest: FlowManifest, access: AccessToMapping): string | undefined {
  const [first, ...others] = missingMappings(flowId, manifest, access);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : `; ${others.length} more: POST /_api/flows/${flowId}/validate`;
  return `step '${first.stepId}' of route '${first.routeId}': ${first.message}${more}`;
}

export function missingMappings(
  flowId: string,
  { mappings, steps }: FlowManifest,
  access: AccessToMapping,
): readonly Diagnostic[] {
  return mappings.flatMap(({ kind, id, routeId, stepId }) => {
    const found = access(flowId, kind, id);
    if (found === "given") return [];
    const at = steps.find((step) => step.id === stepId && step.routeId === routeId)?.at;
    const diagnostic: Diagnostic = {
      ...(found === "missing" ? absent(kind, id) : foreign(flowId, kind, id)),
      line: at?.line ?? null,
      column: at?.column ?? null,
      endLine: at?.endLine ?? null,
      endColumn: at?.endColumn ?? null,
      pointer: "",
      routeId,
      stepId,
    };
    return [diagnostic];
  });
}

type Finding = Pick<Diagnostic, "severity" | "code" | "message">;

function absent(kind: MappingKind, id: string): Finding {
  const message = `there is no ${kind} mapping '${id}': until PUT /_api/${kind}-mappings/${id} installs it, runs fail at this step`;
  return { severity: "warning", code: "missing_mapping", message };
}

function foreign(flowId: string, kind: MappingKind, id: string): Finding {
  const own = groupOf(flowId) === "" ? `'${flowId}' is in no group` : `'${flowId}' is of group '${groupOf(flowId)}'`;
  const message =
    `the ${kind} mapping '${id}' is for flows of group '${groupOf(id)}', and ${own}: add "shared": true to the ` +
    "mapping's document, or use a mapping of the flow's own group or one without a dot in its id";
  return { severity: "error", code: "mapping_of_other_group", message };
}
