import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const smtp = defineConnector("smtp", new LateModule(() => import("./smtp/driver.ts")));
