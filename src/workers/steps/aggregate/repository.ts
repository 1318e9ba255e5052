/** Where an `aggregate` step keeps its groups (Camel: AggregationRepository). */
import { stateNameProblem } from "../../../shared/state.ts";
import { isDurableAggregation, memoryAggregation } from "../../engine/aggregation-repository.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import type { CompileContext } from "../../engine/step.ts";

interface GroupRepository {
  readonly port: StatePort;
  readonly name: string;
}

/**
 * Returns the repository of the state store that the bean stands for, and without a reference the step's own; undefined:
 * groups are in memory. Throws for what is no repository. `fingerprint`: of the step.
 */
export function groupRepository(
  reference: string | undefined,
  fingerprint: string,
  { bean: find, state, warn, stepId }: CompileContext,
): GroupRepository | undefined {
  const stored = (name: string): GroupRepository => {
    return { port: state({ kind: "aggregation", name, evicts: false, fingerprint }), name };
  };
  if (reference === undefined) return stored(ownName(stepId, find));
  const bean = find(reference);
  if (bean === undefined) {
    throw new Error(
      `the flow has no bean '${reference}': leave aggregationRepository out, and the groups are in the state store; or declare the bean under 'beans'`,
    );
  }
  if (bean.type === memoryAggregation) {
    warn(
      "state_in_memory",
      "groups are kept in the memory of the flow's thread: what is open is lost with a redeploy or a restart; leave aggregationRepository out to keep them",
    );
    return undefined;
  }
  if (!isDurableAggregation(bean.type)) {
    const such = "org.apache.camel.processor.aggregate.jdbc.JdbcAggregationRepository";
    throw new Error(`aggregationRepository is a bean of a class such as ${such}, not '${bean.type}'`);
  }
  const names = Object.keys(bean.properties);
  if (names.length > 0) {
    const simpleName = bean.type.slice(bean.type.lastIndexOf(".") + 1);
    warn("no_effect", `${names.join(", ")} of the ${simpleName} have no effect: its groups are in the state store`);
  }
  return stored(bean.name ?? ownName(stepId, find));
}

/**
 * Returns the name for groups that no bean names: the step's id, in which a slash is written `%2F`. A bean with that name
 * may be a repository of another step, so the step's groups have another name then.
 */
function ownName(stepId: string, find: CompileContext["bean"]): string {
  const name = stepId.replaceAll(/[/\\]/g, encodeURIComponent);
  return find(stepId) === undefined && stateNameProblem(name) === undefined ? name : `aggregate:${name}`;
}
