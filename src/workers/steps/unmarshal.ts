/** The `unmarshal` step (Camel: UnmarshalProcessor). */

import type { Exchange } from "../engine/exchange.ts";
import { translateBody } from "../engine/format.ts";
import { WholeForm } from "../engine/multipart.ts";
import { defineStep } from "../engine/step.ts";

/** Formats that read any bytes. */
const ofBytes: ReadonlySet<string> = new Set(["mimeMultipart", "base64", "gzipDeflater", "zipDeflater"]);

/** Whether the body is a form as a caller has sent it: its lines would be read as data. */
function isWholeForm({ message }: Exchange, format: string): boolean {
  if (message.written || ofBytes.has(format)) return false;
  const { headers } = message;
  // Where forms are taken apart, the body is a file of the form.
  if (headers.has("CamelAttachmentsSize")) return false;
  return !headers.isWritten("Content-Type") && /^\s*multipart\//i.test(String(headers.get("Content-Type") ?? ""));
}

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
      (exchange, body) => {
        if (places.variableSend === undefined && isWholeForm(exchange, dataFormat.name))
          throw new WholeForm(dataFormat.name);
        return body === null && allowNullBody ? null : read(exchange, body);
      },
      places,
      context.useVariable,
    );
  },
});
