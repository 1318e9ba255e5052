/** The `removeVariable` step (Camel: RemoveVariableProcessor). */
import { defineStep } from "../engine/step.ts";
import { requireSettable, setVariable } from "../engine/variables.ts";

export const removeVariable = defineStep({
  name: "removeVariable",
  docs: "Removes one variable by its name; case matters, `*` removes all of the exchange.",
  short: "name",
  options: (z, { text }) => z.object({ name: text("The variable that is taken out.") }),
  example: "removeVariable: { name: customer }",
  compile({ name }, { useVariable }) {
    requireSettable(name, useVariable);
    if (name !== "*" && name.endsWith("*"))
      throw new Error("'*' alone removes all variables of the exchange: name others one by one");
    return (exchange) => {
      if (name === "*") exchange.variables.clear();
      else setVariable(exchange, name, null);
    };
  },
});
