/** The `removeHeader` step (Camel: RemoveHeaderProcessor). */
import { defineStep } from "../engine/step.ts";

export const removeHeader = defineStep({
  name: "removeHeader",
  docs: "Removes one header by its name, whatever its case.",
  short: "name",
  options: (z, { text }) => z.object({ name: text("The header that is taken out; case does not matter.") }),
  example: "removeHeader: { name: CamelHttpPath }",
  compile({ name }) {
    return (exchange) => {
      exchange.message.headers.delete(name);
    };
  },
});
