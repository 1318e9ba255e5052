/** The `removeVariable` step (Camel: RemoveVariableProcessor). */
import { defineStep } from "../engine/step.ts";
import { requireSettable } from "../engine/variables.ts";

export const removeVariable = defineStep({
  name: "removeVariable",
  docs: "Removes one variable of the exchange by its name; case matters, `*` removes all.",
  short: "name",
  options: (z, { text }) => z.object({ name: text("The variable that is taken out.") }),
  example: "removeVariable: customer",
  compile({ name }) {
    requireSettable(name);
    return ({ variables }) => {
      if (name === "*") variables.clear();
      else variables.delete(name);
    };
  },
});
