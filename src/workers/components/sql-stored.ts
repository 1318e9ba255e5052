/** The `sql-stored` component (Camel: SqlStoredEndpoint 4.22): procedures and functions of a database. */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { sqlKinds } from "./database/client.ts";
import { databaseSecrets } from "./database/connection.ts";
import { callAdvice } from "./database/message-data.ts";
import { databaseOptions } from "./database/options.ts";

const producers = new LateModule(() => import("./sql-stored/producer.ts"));

export const sqlStored = defineComponent({
  scheme: "sql-stored",
  docs: "Calls a procedure or a function of a database; what it gives back becomes the body, as a map.",
  path: "template",
  connects: { kinds: sqlKinds, option: "dataSource", unless: ["host"] },
  options: (z, slots) => {
    const { text, flag, refused, only } = slots;
    return z.object({
      template: text(
        "The name with its parameters: `ADD(INTEGER :#a, INTEGER ${header.b}, OUT INTEGER sum)`. A parameter has a type, a value, and with OUT or INOUT the name under which it comes back.",
      ),
      ...databaseOptions(slots),
      function: flag("Calls a function: its one OUT parameter is what it returns.").default(false),
      noop: flag("Leaves the body as it is, whatever comes back.").default(false),
      outputHeader: text("The header that gets the result; the body stays as it is.").optional(),
      useMessageBodyForTemplate: flag(
        "Takes the template of the body, and its values of the map in the header CamelSqlStoredParameters.",
      ).default(false),
      batch: only(false, "call it for each element with split"),
      templateOptions: refused("there are none here: leave it out"),
      lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
    });
  },
  network: producers,
  secrets: databaseSecrets,
  dataInPath: callAdvice,
  example: 'to: { uri: "sql-stored:ADD_UP(INTEGER ${header.orderId}, INTEGER 1, OUT INTEGER sum)" }',
  effect: "writes",
  producer: (options, context) => producers.module().storedProducer(options, context),
});
