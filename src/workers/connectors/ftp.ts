import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const ftp = defineConnector("ftp", new LateModule(() => import("./ftp/driver.ts")));
