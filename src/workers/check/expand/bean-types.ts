/** The Java classes of beans that this runtime implements (Camel 4.22), with the properties of each. */

import { isDurableAggregation } from "../../engine/aggregation-repository.ts";
import { describedProperties, describedTypes } from "../../engine/connections/described-connections.ts";
import { isDurableRepository } from "../../engine/idempotent-repository.ts";

const aggregate = "org.apache.camel.processor.aggregate";

export interface BeanType {
  /** Names of its properties; others are refused. */
  readonly properties: readonly string[];
  /** true: others are accepted, and warned about where the bean is used. */
  readonly idle?: true;
}

const plain: BeanType = { properties: [] };
/** Camel's repositories in files, databases and clusters: the state store stands for all of them. */
const stored: BeanType = { properties: ["eviction"], idle: true };
const memory: BeanType = { properties: ["cacheSize"] };

/** Beans that are read as connections of the flow. */
const connections = describedTypes.map((type): [string, BeanType] => [
  type,
  { properties: describedProperties(type) ?? [] },
]);

const beanTypes: ReadonlyMap<string, BeanType> = new Map([
  ...connections,
  [`${aggregate}.GroupedBodyAggregationStrategy`, plain],
  [`${aggregate}.GroupedExchangeAggregationStrategy`, plain],
  [`${aggregate}.GroupedMessageAggregationStrategy`, plain],
  [`${aggregate}.UseLatestAggregationStrategy`, plain],
  [`${aggregate}.UseOriginalAggregationStrategy`, plain],
  [`${aggregate}.StringAggregationStrategy`, { properties: ["delimiter"] }],
  [`${aggregate}.MemoryAggregationRepository`, plain],
  ["org.apache.camel.processor.StopProcessor", plain],
  ["org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository", memory],
  ["org.apache.camel.processor.idempotent.MemoryIdempotentRepository", memory],
]);

/** Names of the classes, for messages. */
export const beanTypeNames: readonly string[] = [...beanTypes.keys()];

/** Finds what is known of a class. */
export function beanTypeOf(type: string): BeanType | undefined {
  return beanTypes.get(type) ?? (isDurableRepository(type) || isDurableAggregation(type) ? stored : undefined);
}
