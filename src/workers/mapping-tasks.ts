/** What control asks of a check thread about mappings; what does it is loaded when the first one comes. */
import type {
  MappingCheckRequest,
  MappingCheckResult,
  MappingTrialRequest,
  MappingTrialResult,
} from "../shared/mapping.ts";
import { withModules } from "./engine/late-module.ts";

/** A document to what threads need of it, or to what is wrong with it. */
export async function checkMapping(request: MappingCheckRequest): Promise<MappingCheckResult> {
  if (request.kind === "value") {
    const { checkValueMapping } = await import("./mappings/check-value-mapping.ts");
    return checkValueMapping(request);
  }
  const { checkMessageMapping } = await import("./mappings/check-message-mapping.ts");
  return withModules(() => checkMessageMapping(request));
}

/** A message mapping with a message of somebody's. */
export async function tryMapping(request: MappingTrialRequest): Promise<MappingTrialResult> {
  const { tryMessageMapping } = await import("./mappings/try-message-mapping.ts");
  return withModules(() => tryMessageMapping(request));
}

/** A value mapping's rows. `document`: as it is kept. */
export async function exportCsv(document: Uint8Array): Promise<MappingTrialResult> {
  const { valueMappingCsv } = await import("./mappings/value-csv-export.ts");
  try {
    return { answer: valueMappingCsv(new TextDecoder().decode(document)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
