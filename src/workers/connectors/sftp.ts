import { defineConnector } from "../engine/connections/connection.ts";
import { LateModule } from "../engine/late-module.ts";

export const sftp = defineConnector("sftp", new LateModule(() => import("./sftp/driver.ts")));
