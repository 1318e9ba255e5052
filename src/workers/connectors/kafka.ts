import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const kafka = defineConnector("kafka", new LateModule(() => import("./kafka/driver.ts")));
