/** The Java classes of beans that this runtime implements (Camel 4.22), with the properties of each. */

const aggregate = "org.apache.camel.processor.aggregate";

export interface BeanType {
  /** Names of its properties; others are refused. */
  readonly properties: readonly string[];
}

const plain: BeanType = { properties: [] };
const memory: BeanType = { properties: ["cacheSize"] };

export const beanTypes: ReadonlyMap<string, BeanType> = new Map([
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
