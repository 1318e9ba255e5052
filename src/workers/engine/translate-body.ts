/** What `marshal` and `unmarshal` have in common (Camel: MarshalProcessor, UnmarshalProcessor). */
import type { Exchange } from "./exchange.ts";
import type { Translate } from "./format.ts";
import type { Processor } from "./processor.ts";
import { requireSettable, setVariable } from "./variables.ts";

export interface Places {
  /** The variable that is translated in place of the body. */
  readonly variableSend?: string | undefined;
  /** The variable that gets the result; the body stays as it is, headers are set all the same. */
  readonly variableReceive?: string | undefined;
}

/** Throws for a variable that cannot be used. */
export function translateBody(translate: Translate, { variableSend, variableReceive }: Places): Processor {
  if (variableReceive !== undefined) requireSettable(variableReceive);
  if (variableSend?.startsWith("header:") === false) requireSettable(variableSend);
  const source = ({ message, variables }: Exchange): unknown =>
    variableSend === undefined ? message.body : (variables.get(variableSend) ?? null);
  return (exchange) => {
    const result = translate(exchange, source(exchange)) ?? null;
    if (variableReceive === undefined) exchange.message.body = result;
    else setVariable(exchange, variableReceive, result);
  };
}
