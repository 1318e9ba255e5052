/** The `unmarshal` step (Camel: UnmarshalProcessor). */

import { translateBody } from "../engine/format.ts";
import { defineStep } from "../engine/step.ts";

export const unmarshal = defineStep({
  name: "unmarshal",
  docs: "Reads text or bytes of a data format: the new body is the value, mostly maps and lists. A null body is an error.",
  options: (z, { dataFormat, text, flag }) =>
    z.object({
      dataFormat: dataFormat("The data format that is read, with its options: `csv: { useMaps: true }`."),
      allowNullBody: flag("A body of null stays null; without this it fails.").default(false),
      variableSend: text("The variable that is read in place of the body.").optional(),
      variableReceive: text("The variable that gets the result in place of the body.").optional(),
    }),
  example: "unmarshal: { json: {} }",
  compile({ dataFormat, allowNullBody, ...places }, context) {
    const read = context.unmarshaller(dataFormat);
    return translateBody(
      (exchange, body) => (body === null && allowNullBody ? null : read(exchange, body)),
      places,
      context.useVariable,
    );
  },
});
