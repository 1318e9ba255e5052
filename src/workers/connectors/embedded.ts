import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const embedded = defineConnector("embedded", new LateModule(() => import("./embedded/driver.ts")));
