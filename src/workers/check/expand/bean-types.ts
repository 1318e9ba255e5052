/** Java classes of beans that this runtime has its own of (Camel 4.22), and the properties that each takes. */

const aggregate = "org.apache.camel.processor.aggregate";

export interface BeanType {
  /** Names of its properties; all others are refused. */
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
  ["org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository", memory],
  ["org.apache.camel.processor.idempotent.MemoryIdempotentRepository", memory],
]);
