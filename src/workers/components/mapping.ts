/** The `mapping` component: the step `messageMapping` as an endpoint, for flows that use only Camel's own steps. */
import { idProblem } from "../../shared/ids.ts";
import { defineComponent } from "../engine/component.ts";

export const mapping = defineComponent({
  scheme: "mapping",
  docs: "Makes a new body of the message by the rules of a message mapping.",
  path: "id",
  options: (z, { text }) =>
    z.object({
      id: text("The id of the message mapping, which `PUT /_api/message-mappings/:id` installs.").refine(
        (id) => idProblem(id) === undefined,
        { error: ({ input }) => idProblem(String(input)) ?? "no id" },
      ),
    }),
  example: 'to: { uri: "mapping:crm-erp" }',
  effect: "none",
  producer({ id }, { useMapping }) {
    useMapping("message", id);
    return (exchange) => {
      exchange.message.body = exchange.run.mappings.message(id).map(exchange);
    };
  },
});
