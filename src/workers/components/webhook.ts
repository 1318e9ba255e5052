/** The `webhook` component, which Camel does not have: `POST /api/<route id>`. */
import { defineComponent } from "../engine/component.ts";

export const webhook = defineComponent({
  scheme: "webhook",
  docs: "Runs the route for each POST to /api/<route id>; the answer is `ok` until a step sets the body.",
  path: "path",
  options: (z, { refused }) =>
    z.object({
      path: refused("a webhook has no path of its own: it answers at /api/<route id>, so name the route instead"),
    }),
  example: `from:
  uri: webhook
  steps:
    - log:
        message: "\${body}"`,
  once: false,
  consumer: () => ({ kind: "webhook" }),
});
