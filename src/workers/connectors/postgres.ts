import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const postgres = defineConnector("postgres", new LateModule(() => import("./postgres/driver.ts")));
