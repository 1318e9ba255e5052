/**
 * A component that consumes, for tests: it connects to a server that sends lines, `<id> <text>`, and reports the
 * outcome of each.
 */
import { defineComponent } from "../../../src/workers/engine/component.ts";
import { LateModule } from "../../../src/workers/engine/late-module.ts";

const sources = new LateModule(() => import("./line-source.ts"));

export const lines = defineComponent({
  scheme: "lines",
  docs: "Takes lines from a server, each as a message.",
  path: "address",
  options: (z, { text, integer }) =>
    z.object({
      address: text("Host and port of the server."),
      password: text("Sent to the server first.").default("none"),
      credits: integer("How many messages are in the route at the same time.").default(1),
    }),
  network: sources,
  secrets: { password: "text" },
  exclusive: true,
  peeks: true,
  example: "from: { uri: lines:127.0.0.1:7000, steps: [{ log: '${body}' }] }",
  source: (options, context) => sources.module().lineSource(options, context),
});
