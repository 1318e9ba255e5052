/** A flow as a runtime has it, in the terms of the workspace. */

import { orThrow } from "../../../../src/client/client.ts";
import type { Options } from "../../../shared/wire.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { optionsOf } from "./options.ts";

export interface RuntimeFlow {
  /** The file in the runtime's folder, which a deployment replaces. */
  readonly yaml: string;
  /** With the access policy when it was asked for and there is one. */
  readonly options: Options;
  /** The value of `If-Match` for this version. */
  readonly etag: string;
  readonly detail: Schemas["FlowDetail"];
}

interface Asked {
  readonly id: string;
  /** The name of the runtime. */
  readonly target: string;
  /** Whether the access policy is compared, too: it has a life of its own, unless the companion has one. */
  readonly withPolicy: boolean;
}

/** Resolves to undefined when the runtime does not have the flow. */
export async function readRuntimeFlow({ id, target, withPolicy }: Asked): Promise<RuntimeFlow | undefined> {
  const runtime = runtimeOf(target);
  // What is asked for is there: browsers report a 404 as an error of the page.
  const flows = await orThrow(runtime.GET("/_api/flows"));
  if (!flows.some((flow) => flow.id === id)) return undefined;
  const { data, error, response } = await runtime.GET("/_api/flows/{id}", { params: { path: { id } } });
  if (error !== undefined) throw error;
  const isAsked = withPolicy && data.policy !== null && data.policy !== undefined;
  const policy = isAsked
    ? await orThrow(runtime.GET("/_api/auth/{flowId}", { params: { path: { flowId: id } } }))
    : undefined;
  const options = { ...optionsOf(data), ...(policy !== undefined && { policy }) };
  return { yaml: data.yaml, options, etag: response.headers.get("etag") ?? `"${data.hash}"`, detail: data };
}
