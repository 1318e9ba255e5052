/** `${properties:key}` and `${propertiesExist:key}` read the flow's parameters (Camel: PropertiesFunctionFactory). */
import { ExpressionSyntaxError, FlowException } from "../../../engine/exception.ts";
import { hasFunction } from "../arguments.ts";
import { type Call, type Eval, type FunctionTable, simpleText } from "../eval.ts";

export const parameterFunctions: FunctionTable = {
  properties: (call) =>
    ofKey(call, "properties:key} or ${properties:key:default", (text) => {
      const colon = text.indexOf(":");
      const key = colon < 0 ? text : text.slice(0, colon);
      const value = call.scope.context.property(key);
      return () => {
        if (value !== undefined) return value;
        if (colon >= 0) return text.slice(colon + 1);
        throw new FlowException(
          "java.lang.IllegalArgumentException",
          `Property with key [${key}] not found: the flow has no parameter '${key}'`,
        );
      };
    }),
  propertiesExist: (call) =>
    ofKey(call, "propertiesExist:key} or ${propertiesExist:!key", (text) => {
      const negated = text.startsWith("!");
      const exists = call.scope.context.property(negated ? text.slice(1) : text) !== undefined;
      return () => exists !== negated;
    }),
};

/** `read` is called once for a fixed key, else for each value of the key. */
function ofKey(call: Call, usage: string, read: (text: string) => () => unknown): Eval {
  const text = call.rest.slice(1).trim();
  if (!call.rest.startsWith(":") || text === "") throw new ExpressionSyntaxError(`write \${${usage}}`, call.index);
  if (!hasFunction(text)) return read(text);
  const key = call.scope.expression(text, call.index + 1);
  return (exchange, body) => read(simpleText(key(exchange, body), exchange))();
}
