/** What `header` reads, in the language of this name and in simple (Camel: ExpressionBuilder.headerExpression). */
import type { Exchange } from "../engine/exchange.ts";

/** Returns the header, or where there is none the property of exactly that name, such as CamelSplitIndex; undefined without either. */
export function headerOrProperty({ message, properties }: Exchange, name: string): unknown {
  return message.headers.get(name) ?? properties.get(name);
}
