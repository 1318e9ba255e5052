/** The classes of Camel that keep groups of `aggregate` steps (Camel: AggregationRepository). */

export const memoryAggregation = "org.apache.camel.processor.aggregate.MemoryAggregationRepository";
const durable = /^org\.apache\.camel\..*\.(?!Memory)\w+AggregationRepository$/;

/** Whether the class keeps groups in a file, a database or a cluster: here the state store does. */
export function isDurableAggregation(type: string): boolean {
  return durable.test(type);
}
