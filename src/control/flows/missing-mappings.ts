/** Mappings that a flow names and that are not there: a warning when it is deployed, an error when a run asks for one. */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { MappingKind } from "../../shared/mapping.ts";

export type HasMapping = (kind: MappingKind, id: string) => boolean;

/** The same as one line for the log, where nobody waits for an answer; undefined: nothing is missing. */
export function toldOfMissing(flowId: string, manifest: FlowManifest, has: HasMapping): string | undefined {
  const [first, ...others] = missingMappings(manifest, has);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : `; ${others.length} more: POST /_api/flows/${flowId}/validate`;
  return `step '${first.stepId}' of route '${first.routeId}': ${first.message}${more}`;
}

export function missingMappings({ mappings, steps }: FlowManifest, has: HasMapping): readonly Diagnostic[] {
  return mappings
    .filter(({ kind, id }) => !has(kind, id))
    .map(({ kind, id, routeId, stepId }) => {
      const at = steps.find((step) => step.id === stepId && step.routeId === routeId)?.at;
      const message = `there is no ${kind} mapping '${id}': until PUT /_api/${kind}-mappings/${id} installs it, runs fail at this step`;
      return {
        severity: "warning",
        code: "missing_mapping",
        message,
        line: at?.line ?? null,
        column: at?.column ?? null,
        endLine: at?.endLine ?? null,
        endColumn: at?.endColumn ?? null,
        pointer: "",
        routeId,
        stepId,
      };
    });
}
