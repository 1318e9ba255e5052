import { defineConnector } from "../../../../../src/workers/engine/connections/connection.ts";
import { LateModule } from "../../../../../src/workers/engine/late-module.ts";

const driver = new LateModule(() => import("./post-box/driver.ts"));

export const postBox = defineConnector("post-box", driver);
