/** The `convertBodyTo` step (Camel: ConvertBodyProcessor). */
import { type Conversion, conversion, noConverter } from "../engine/conversion.ts";
import { isKnownType, javaType } from "../engine/convert.ts";
import { exceptionMessage, exceptionType, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineStep } from "../engine/step.ts";

export const convertBodyTo = defineStep({
  name: "convertBodyTo",
  docs: "Converts the body to a type, such as String, int, byte[] or java.util.Map; a null body stays null.",
  short: "type",
  options: (z, { text, flag }) =>
    z.object({
      type: text("The type to convert to, such as String, Integer, byte[] or java.util.Map.").refine(
        isKnownType,
        "a type that this runtime knows, such as String, java.lang.Integer, byte[] or java.util.Map",
      ),
      mandatory: flag("Fails when the body cannot be converted; with `false` the body becomes null then.").default(
        true,
      ),
      charset: text(
        "The character set between bytes and text, such as ISO-8859-1; without it that of the message, which is UTF-8 if nothing names one.",
      ).optional(),
    }),
  example: "convertBodyTo: { type: String }",
  compile({ type, mandatory, charset }, { limits }) {
    const convert = conversion({ type, charset }, limits);
    return (exchange) => {
      const { body } = exchange.message;
      if (body === null || body === undefined) return;
      exchange.message.body = mandatory ? mandatoryBody(exchange, body, type, convert) : convert(exchange, body);
    };
  },
});

/** Throws InvalidPayloadException with the failed conversion as its cause. */
function mandatoryBody(exchange: Exchange, body: unknown, type: string, convert: Conversion): unknown {
  let cause: unknown;
  try {
    const value = convert(exchange, body);
    if (value !== null) return value;
    cause = noConverter(body, type);
  } catch (error) {
    if (exceptionType(error) === "LimitExceededException") throw error;
    cause = error;
  }
  const why = `Caused by: ${exceptionMessage(cause)}`;
  const message = `No body available of type: ${type} but has type: ${javaType(body)} on: Message. ${why}. Exchange[${exchange.id}]`;
  throw new FlowException("org.apache.camel.InvalidPayloadException", message, { cause });
}
