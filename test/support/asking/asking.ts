/**
 * A component that asks a server over a named connection, for tests. Its driver stands for that of `postgres` and speaks
 * with `ask-server.ts`: `LOGIN <user> <password> <database>` is answered `OK` or `ERR <message>`, each other line by one.
 */
import { defineComponent } from "../../../src/workers/engine/component.ts";
import { defineConnector } from "../../../src/workers/engine/connections/connection.ts";
import { LateModule } from "../../../src/workers/engine/late-module.ts";

const producers = new LateModule(() => import("./asking-producer.ts"));

export const askingConnector = defineConnector("postgres", new LateModule(() => import("./asking-driver.ts")));

export const asking = defineComponent({
  scheme: "asking",
  docs: "Asks a server over a named connection.",
  path: "connection",
  options: (z, { text, integer, flag }) =>
    z.object({
      connection: text("`default`, or the name of the connection.").default("default"),
      server: text("Host and port of a server, in place of a name.").optional(),
      password: text("The password of that server.").default("none"),
      together: integer("How many connections the message has open at the same time.").default(1),
      shared: flag("Whether all messages use one connection at the same time.").default(false),
    }),
  network: producers,
  secrets: { password: "text" },
  example: "to: asking:orders",
  producer: (options, context) => producers.module().askingProducer(options, context),
});
