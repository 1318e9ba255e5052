import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const rabbitmq = defineConnector("rabbitmq", new LateModule(() => import("./rabbitmq/driver.ts")));
