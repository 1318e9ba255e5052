/** The `jdbc` and `spring-jdbc` components (Camel: JdbcEndpoint 4.22): the statement is the message's body. */
import { type ComponentDefinition, defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { sqlKinds } from "./database/client.ts";
import { jdbcOptions } from "./jdbc/options.ts";

const producers = new LateModule(() => import("./jdbc/producer.ts"));

function component(scheme: "jdbc" | "spring-jdbc"): ComponentDefinition {
  return defineComponent({
    scheme,
    docs: "Sends the statement that is the message's body to a database; the rows become the body.",
    path: "dataSourceName",
    options: jdbcOptions,
    connects: {
      ...{ kinds: sqlKinds, option: "dataSourceName", unless: [] },
      path: "name",
      defaults: ["default", "dataSource"],
    },
    network: producers,
    example: `to: { uri: "${scheme}:orders?useHeadersAsParameters=true" }`,
    effect: "writes",
    producer: (options, context) => producers.module().jdbcProducer(options, context),
  });
}

export const jdbc = component("jdbc");
export const springJdbc = component("spring-jdbc");
