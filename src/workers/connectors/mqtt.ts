import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const mqtt = defineConnector("mqtt", new LateModule(() => import("./mqtt/driver.ts")));
