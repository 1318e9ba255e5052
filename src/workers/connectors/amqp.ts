import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const amqp = defineConnector("amqp", new LateModule(() => import("./amqp/driver.ts")));
