/** The `messageMapping` step: transforms a message by rules that are installed separately from the flow. */
import { idProblem } from "../../shared/ids.ts";
import { defineStep } from "../engine/step.ts";

export const messageMapping = defineStep({
  name: "messageMapping",
  docs: "Makes a new body of the message by the rules of a message mapping; a mapping's new version counts for runs that begin after it.",
  short: "id",
  idIsOption: true,
  options: (z, { text }) =>
    z.object({
      id: text("The id of the message mapping, which `PUT /_api/message-mappings/:id` installs.")
        .refine((id) => !id.includes("${"), "the id is fixed, without functions: a flow is given the mappings it names")
        .refine((id) => id.includes("${") || idProblem(id) === undefined, {
          error: ({ input }) => idProblem(String(input)) ?? "no id",
        }),
    }),
  example: "messageMapping: { id: crm-erp }",
  compile({ id }, { useMapping }) {
    useMapping("message", id);
    return (exchange) => {
      exchange.message.body = exchange.run.mappings.message(id).map(exchange);
    };
  },
});
