/** The `removeProperty` step (Camel: RemovePropertyProcessor). */
import { defineStep } from "../engine/step.ts";

export const removeProperty = defineStep({
  name: "removeProperty",
  docs: "Removes one property of the exchange by its name; case matters.",
  short: "name",
  options: (z, { text }) => z.object({ name: text("The exchange property that is taken out.") }),
  example: "removeProperty: { name: total }",
  compile({ name }) {
    return (exchange) => {
      exchange.properties.delete(name);
    };
  },
});
