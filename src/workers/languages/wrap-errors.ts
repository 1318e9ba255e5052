/** The exception of Camel's around the failures of a language. */
import { exceptionMessage, exceptionType, FlowException } from "../engine/exception.ts";
import type { Expression } from "../engine/processor.ts";

/** Wraps each failure but that of a limit in an exception of this type; `doCatch` finds both by their own classes. */
export function wrapErrors(type: string, evaluate: Expression): Expression {
  return (exchange) => {
    try {
      return evaluate(exchange);
    } catch (cause) {
      if (exceptionType(cause) === "LimitExceededException") throw cause;
      throw new FlowException(type, `${exceptionType(cause)}: ${exceptionMessage(cause)}`, { cause });
    }
  };
}
