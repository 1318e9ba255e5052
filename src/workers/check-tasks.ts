/** The tasks of a check thread, with everything that the runtime has. */
import type { CheckRequest, CheckResult, Description } from "../shared/check.ts";
import { catalog } from "./catalog.ts";
import { check as checkFlow } from "./check/check.ts";
import { describe as describeCatalog } from "./check/describe.ts";
import { compileFlow } from "./compile/compile-flow.ts";
import { withModules } from "./engine/late-module.ts";

/** A flow's text to its model and manifest, or to diagnostics. */
export function check(request: CheckRequest): Promise<CheckResult> {
  return withModules(() => checkFlow(request, catalog, compileFlow));
}

/** The catalogue and the JSON Schema of a flow. */
export function describe(): Description {
  return describeCatalog(catalog);
}

export { checkMapping, exportCsv, tryMapping } from "./mapping-tasks.ts";
export { assess, checkMocks } from "./test-tasks.ts";
