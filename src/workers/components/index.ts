/** The registry of components: where messages come from and go to. */
import type { ComponentDefinition } from "../engine/component.ts";
import { direct } from "./direct.ts";
import { log } from "./log.ts";
import { mock } from "./mock.ts";
import { platformHttp } from "./platform-http.ts";
import { timer } from "./timer.ts";
import { webhook } from "./webhook.ts";

export const components: readonly ComponentDefinition[] = [direct, log, mock, platformHttp, timer, webhook];
