/** The jq language (Camel: JqExpression, JqFunctions). */

import { truthy } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { jsonData } from "../engine/json-data.ts";
import { jsonNode } from "../engine/json-node.ts";
import { defineLanguage, type LanguageContext } from "../engine/language.ts";
import { LateModule } from "../engine/late-module.ts";
import { textIn } from "../engine/message-text.ts";
import type { Expression } from "../engine/processor.ts";
import { getVariable } from "../engine/variables.ts";
import { Budget } from "./budget.ts";
import { declareQuoted, jsonInput, sourceReader } from "./input.ts";
import { wrapErrors } from "./wrap-errors.ts";

/** Camel's exception around each failure (JqExpression.evaluate). */
const failure = "org.apache.camel.RuntimeCamelException";

/** How many times a message's size an evaluation may build in all. */
const garbage = 32;

const interpreter = new LateModule(() => import("./jq/program.ts"));

export const jq = defineLanguage({
  name: "jq",
  docs:
    '`jq` 1.7: queries and maps JSON. One output is the value, several are a list, none is null; objects and lists render as JSON text. `header("x")`, `property("x")`, ' +
    '`variable("x")`, each also with a default behind the name, `body` and `constant("x")` come from Camel. Regular expressions have neither look-around nor back-references; there are ' +
    "no modules, no inputs beside the message, no environment; dates are in UTC. Whole numbers keep every digit, " +
    "and +, -, * and % of them are exact; other calculations are with doubles.",
  options: (z, { text }) =>
    z.object({
      source: text(
        "Where the JSON is taken from: `header:name`, `property:name` or `variable:name`; by default the body.",
      ).optional(),
    }),
  example: ".orderNo * 2",
  expression(text, options, context) {
    const value = compile(text, options, context);
    return (exchange) => jsonNode(value(exchange), exchange.run.limits.messageBodyBytes);
  },
  predicate(text, options, context) {
    const value = compile(text, options, context);
    // As in Camel, the results true and a list with elements hold; other results do not.
    return (exchange) => {
      const result = value(exchange);
      return typeof result === "boolean" || Array.isArray(result) ? truthy(result) : false;
    };
  },
});

function compile(
  text: string,
  { source }: { readonly source?: string | undefined },
  context: LanguageContext,
): Expression {
  const { compileProgram } = interpreter.module();
  const program = compileProgram(text);
  const input = sourceReader(source, context);
  declareQuoted(text, context);
  return wrapErrors(failure, (exchange) => {
    const given = input(exchange) ?? null;
    if (given === null) {
      throw new FlowException(
        "org.apache.camel.InvalidPayloadException",
        "there is no JSON for jq to read: the input is null",
      );
    }
    const data = jsonInput(exchange, given, "com.fasterxml.jackson.core.JsonParseException");
    const budget = new Budget(exchange.run.limits, "jq", garbage);
    const outputs = program(data, hostOf(exchange), budget);
    return outputs.length > 1 ? outputs : (outputs[0] ?? null);
  });
}

function hostOf(exchange: Exchange): { call(name: string, argument: string): unknown } {
  return {
    call(name, argument) {
      const { message, properties } = exchange;
      if (name === "body") return message.body === null ? null : textIn(exchange, message.body);
      if (name === "variable") return jsonData(getVariable(exchange, argument));
      return jsonData(name === "header" ? message.headers.get(argument) : properties.get(argument));
    },
  };
}
