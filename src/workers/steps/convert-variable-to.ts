/** The `convertVariableTo` step (Camel: ConvertVariableProcessor). */
import { conversion, noConverter } from "../engine/conversion.ts";
import { isKnownType } from "../engine/convert.ts";
import { defineStep } from "../engine/step.ts";
import { getVariable, requireReadable, requireSettable, setVariable } from "../engine/variables.ts";

export const convertVariableTo = defineStep({
  name: "convertVariableTo",
  docs: "Converts a variable to a type; one that is missing stays so. Its name is a simple template.",
  options: (z, { template, text, flag }) =>
    z.object({
      name: template("The variable that is converted; a simple template."),
      toName: template("The variable that gets the result; by default the one that is converted.").optional(),
      type: text("The type to convert to, such as String, Integer, byte[] or java.util.Map.").refine(
        isKnownType,
        "a type that this runtime knows, such as String, java.lang.Integer, byte[] or java.util.Map",
      ),
      mandatory: flag(
        "Fails when the value cannot be converted; with `false` it becomes null then, and the variable is removed.",
      ).default(true),
      charset: text(
        "The character set between bytes and text, such as ISO-8859-1; without it that of the message, which is UTF-8 if nothing names one.",
      ).optional(),
    }),
  example: "convertVariableTo: { name: orderId, type: int }",
  compile({ name, toName, type, mandatory, charset }, context) {
    requireSettable((toName ?? name).text, context.useVariable);
    requireReadable(name.text, context.useVariable);
    const convert = conversion({ type, charset }, context.limits);
    const nameOf = context.text(name);
    const targetOf = toName === undefined ? nameOf : context.text(toName);
    return (exchange) => {
      const before = getVariable(exchange, nameOf(exchange));
      if (before === null) return;
      const value = convert(exchange, before);
      if (value === null && mandatory) throw noConverter(before, type);
      setVariable(exchange, targetOf(exchange), value);
    };
  },
});
