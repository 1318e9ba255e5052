import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const http = defineConnector("http", new LateModule(() => import("./http/driver.ts")));
