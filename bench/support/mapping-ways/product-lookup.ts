/** In place of `workers/mappings/value-lookup.ts`: the same, with the probe. */
import { ValueTable } from "../../../src/shared/value-table.ts";
import type { ValueLookup } from "../../../src/workers/engine/mappings.ts";
import { valueLookup as original } from "../../../src/workers/mappings/value-lookup.ts";
import { probed } from "./probe.ts";

export function valueLookup(id: string, data: Uint8Array): ValueLookup {
  return probed(original(id, data), new ValueTable(data).rows);
}
