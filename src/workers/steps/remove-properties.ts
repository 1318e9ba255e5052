/** The `removeProperties` step (Camel: RemovePropertiesProcessor). */
import { namePattern } from "../engine/name-pattern.ts";
import { defineStep } from "../engine/step.ts";

export const removeProperties = defineStep({
  name: "removeProperties",
  docs: "Removes the properties whose names match a pattern: a name, `prefix*`, or a regular expression; case does not matter.",
  short: "pattern",
  options: (z, { text }) =>
    z.object({
      pattern: text(
        "Which exchange properties go: a name, `Camel*`, or a regular expression over the whole name; case does not matter.",
      ),
      excludePattern: text("What stays although `pattern` names it, written in the same way.").optional(),
    }),
  example: 'removeProperties: { pattern: "order*", excludePattern: orderId }',
  compile({ pattern, excludePattern }) {
    const removes = namePattern(pattern);
    const keeps = excludePattern === undefined ? () => false : namePattern(excludePattern);
    return ({ properties }) => {
      for (const name of [...properties.keys()]) if (removes(name) && !keeps(name)) properties.delete(name);
    };
  },
});
