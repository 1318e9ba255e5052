/** Where an `aggregate` step keeps its groups (Camel: AggregationRepository). */
import { isDurableAggregation, memoryAggregation } from "../../engine/aggregation-repository.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import type { CompileContext } from "../../engine/step.ts";

interface GroupRepository {
  readonly port: StatePort;
  readonly name: string;
}

/**
 * Returns the repository of the state store that the bean stands for; undefined: groups are in memory. Throws for what is
 * no repository. `fingerprint`: of the step.
 */
export function groupRepository(
  reference: string | undefined,
  fingerprint: string,
  { bean: find, state, warn, stepId }: CompileContext,
): GroupRepository | undefined {
  if (reference === undefined) return undefined;
  const bean = find(reference);
  if (bean === undefined) {
    throw new Error(
      `the flow has no bean '${reference}': declare it under 'beans', or leave aggregationRepository out`,
    );
  }
  if (bean.type === memoryAggregation) {
    warn(
      "state_in_memory",
      "groups are kept in the memory of the flow's thread: what is open is lost with a redeploy or a restart; a durable repository keeps them in the state store",
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
  const name = bean.name ?? stepId;
  return { port: state({ kind: "aggregation", name, evicts: false, fingerprint }), name };
}
