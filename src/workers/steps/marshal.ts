/** The `marshal` step (Camel: MarshalProcessor). */
import { defineStep } from "../engine/step.ts";
import { translateBody } from "../engine/translate-body.ts";

export const marshal = defineStep({
  name: "marshal",
  docs: "Writes the body in a data format: the new body is bytes, which render as text.",
  options: (z, { dataFormat, text }) =>
    z.object({
      dataFormat: dataFormat(),
      variableSend: text().optional().describe("the variable that is written in place of the body"),
      variableReceive: text().optional().describe("the variable that gets the result in place of the body"),
    }),
  example: "marshal: { json: { prettyPrint: true } }",
  compile({ dataFormat, ...places }, context) {
    return translateBody(context.marshaller(dataFormat), places);
  },
});
