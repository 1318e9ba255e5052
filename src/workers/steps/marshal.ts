/** The `marshal` step (Camel: MarshalProcessor). */

import { translateBody } from "../engine/format.ts";
import { defineStep } from "../engine/step.ts";

export const marshal = defineStep({
  name: "marshal",
  docs: "Writes the body in a data format: the new body is bytes, which render as text.",
  options: (z, { dataFormat, text }) =>
    z.object({
      dataFormat: dataFormat("The data format that is written, with its options: `json: {}`."),
      variableSend: text("The variable that is written in place of the body.").optional(),
      variableReceive: text("The variable that gets the result in place of the body.").optional(),
    }),
  example: "marshal: { json: { prettyPrint: true } }",
  compile({ dataFormat, ...places }, context) {
    return translateBody(context.marshaller(dataFormat), places, context.useVariable);
  },
});
