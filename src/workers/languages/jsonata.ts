/** The jsonata language (Camel has it as a component): JSONata 2 on the message's JSON. */
import { FlowException } from "../engine/exception.ts";
import { jsonNode } from "../engine/json-node.ts";
import { defineLanguage } from "../engine/language.ts";
import { Budget } from "./budget.ts";
import { jsonInput, sourceReader } from "./input.ts";
import { garbage, JsonataError, maxDepth } from "./jsonata/evaluator.ts";
import { compileExpression } from "./jsonata/expression.ts";
import { bindings } from "./jsonata/session.ts";

export const jsonata = defineLanguage({
  name: "jsonata",
  docs:
    "JSONata 2: queries and maps JSON. `$headers`, `$properties` and `$variables` are bound. An expression without a result gives " +
    "null; objects and lists render as JSON text. `$vmap('id', 'from', 'to', value)` looks a value up in a value mapping, `$uuid()` makes an id. " +
    "Regular expressions have neither look-around nor back-references; `$eval` is not available. " +
    "Whole numbers keep every digit, and +, -, *, % and $sum of them are exact; other calculations are with doubles.",
  options: (z, { text }) =>
    z.object({
      source: text(
        "Where the JSON is taken from: `header:name`, `property:name` or `variable:name`; by default the body.",
      ).optional(),
    }),
  example: '{ "order": orderNo, "labels": [1..2].("L" & $) }',
  expression(text, options, { limits, useMapping, useVariable }) {
    const input = sourceReader(options.source, { useVariable });
    const bounds = { depth: maxDepth, sequence: Math.floor(limits.messageBodyBytes / 8) };
    const expression = compileExpression(text, bounds);
    for (const id of expression.valueMappings) useMapping("value", id);
    const uses = (name: string): boolean => expression.variables.has(name);
    const [usesHeaders, usesProperties, usesVariables] = ["headers", "properties", "variables"].map(uses);
    return (exchange) => {
      const { message, properties, variables, run } = exchange;
      const data = jsonInput(exchange, input(exchange), "com.fasterxml.jackson.core.JsonParseException") ?? undefined;
      const around = {
        ...(usesHeaders && { headers: bindings(message.headers.entries()) }),
        ...(usesProperties && { properties: bindings(properties) }),
        ...(usesVariables && { variables: bindings(variables) }),
      };
      const budget = new Budget(run.limits, "jsonata", garbage);
      const session = { budget, values: (id: string) => run.mappings.value(id) };
      try {
        const result = expression.evaluate({ context: data, input: data, variables: around, session });
        return jsonNode(result ?? null, run.limits.messageBodyBytes);
      } catch (error) {
        if (error instanceof RangeError) throw budget.exceeded("is too deep or builds too much");
        if (!(error instanceof JsonataError)) throw error;
        const { code, message: text } = error;
        const said = code === undefined ? text : `${text} (${code})`;
        throw new FlowException("com.dashjoin.jsonata.JException", said, { cause: error });
      }
    };
  },
});
