/** The `convertHeaderTo` step (Camel: ConvertHeaderProcessor). */
import { conversion, noConverter } from "../engine/conversion.ts";
import { isKnownType } from "../engine/convert.ts";
import { defineStep } from "../engine/step.ts";

export const convertHeaderTo = defineStep({
  name: "convertHeaderTo",
  docs: "Converts a header to a type; a header that is missing or null stays so. Its name is a simple template.",
  options: (z, { template, text, flag }) =>
    z.object({
      name: template("The header that is converted; a simple template."),
      toName: template("The header that gets the result; by default the one that is converted.").optional(),
      type: text("The type to convert to, such as String, Integer, byte[] or java.util.Map.").refine(
        isKnownType,
        "a type that this runtime knows, such as String, java.lang.Integer, byte[] or java.util.Map",
      ),
      mandatory: flag("Fails when the value cannot be converted; with `false` it becomes null then.").default(true),
      charset: text(
        "The character set between bytes and text, such as ISO-8859-1; without it that of the message, which is UTF-8 if nothing names one.",
      ).optional(),
    }),
  example: "convertHeaderTo: { name: orderId, type: int }",
  compile({ name, toName, type, mandatory, charset }, context) {
    const convert = conversion({ type, charset }, context.limits);
    const nameOf = context.text(name);
    const targetOf = toName === undefined ? nameOf : context.text(toName);
    return (exchange) => {
      const { headers } = exchange.message;
      const before = headers.get(nameOf(exchange)) ?? null;
      if (before === null) return;
      const value = convert(exchange, before);
      if (value === null && mandatory) throw noConverter(before, type);
      headers.set(targetOf(exchange), value);
    };
  },
});
