/** Trials of message mappings. */
import { orThrow } from "../../../../src/client/client.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";

export type TrialAnswer = Schemas["MappingTrialAnswer"];

/** `body`: the trial as JSON text. */
export async function tryMapping(target: string, id: string, body: string, signal: AbortSignal): Promise<TrialAnswer> {
  return orThrow(
    runtimeOf(target).POST("/_api/message-mappings/{id}/test", {
      params: { path: { id } },
      body: body as unknown as Schemas["MappingTrialInput"],
      signal,
    }),
  );
}
