/** The processors of Camel that beans may name, for options that call one (`onRedeliveryRef`, `onPrepare`). */
import type { BeanReference } from "./bean.ts";
import type { Processor } from "./processor.ts";

const packageName = "org.apache.camel.processor.";

const byClass: Readonly<Record<string, Processor>> = {
  StopProcessor: (exchange) => {
    exchange.stopped = true;
  },
};

/** Full names of the available processors. */
export const processorClasses: readonly string[] = Object.keys(byClass).map((name) => `${packageName}${name}`);

/** Returns the processor of a bean. Throws for an unknown reference, and for a bean of another class. */
export function processorOf(reference: string, bean: BeanReference | undefined): Processor {
  const type = bean?.type ?? "";
  const name = type.startsWith(packageName) ? type.slice(packageName.length) : type;
  const found = Object.hasOwn(byClass, name) ? byClass[name] : undefined;
  if (found !== undefined) return found;
  const what = bean === undefined ? `there is no bean '${reference}'` : `'${type}' is a class of the JVM`;
  throw new Error(`${what}: write the address of a route, such as direct:prepare, or a bean of ${processorClasses}`);
}
