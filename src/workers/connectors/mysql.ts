import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const mysql = defineConnector("mysql", new LateModule(() => import("./mysql/driver.ts")));
