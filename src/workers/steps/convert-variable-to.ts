/** The `convertVariableTo` step (Camel: ConvertVariableProcessor). */
import { conversion, noConverter } from "../engine/conversion.ts";
import { isKnownType } from "../engine/convert.ts";
import { defineStep } from "../engine/step.ts";
import { requireSettable, setVariable } from "../engine/variables.ts";

export const convertVariableTo = defineStep({
  name: "convertVariableTo",
  docs: "Converts a variable to a type; one that is missing stays so. Its name is a simple template.",
  options: (z, { template, text, flag }) =>
    z.object({
      name: template(),
      toName: template().optional().describe("the variable that gets the result; by default the same"),
      type: text().refine(
        isKnownType,
        "a type that this runtime knows, such as String, java.lang.Integer, byte[] or java.util.Map",
      ),
      mandatory: flag()
        .default(true)
        .describe("false: a value without a conversion to the type becomes null, and the variable is removed"),
      charset: text().optional().describe("of bytes that become text, and text that becomes bytes"),
    }),
  example: "convertVariableTo: { name: orderId, type: int }",
  compile({ name, toName, type, mandatory, charset }, context) {
    requireSettable((toName ?? name).text);
    const convert = conversion({ type, charset }, context.limits);
    const nameOf = context.text(name);
    const targetOf = toName === undefined ? nameOf : context.text(toName);
    return (exchange) => {
      const before = exchange.variables.get(nameOf(exchange)) ?? null;
      if (before === null) return;
      const value = convert(before);
      if (value === null && mandatory) throw noConverter(before, type);
      setVariable(exchange, targetOf(exchange), value);
    };
  },
});
