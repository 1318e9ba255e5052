/** Deploys a flow to a runtime: over the version that was compared, and not over one that came since. */
import { ApiError } from "../../../../src/client/errors.ts";
import type { FlowEntry, FlowFile, Options } from "../../../shared/wire.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { sentenceOf } from "../api/sentence.ts";
import { mayDo } from "../api/session.ts";
import { recordDeployed, recordFailed } from "../api/workspace.ts";
import type { Content } from "./check.ts";
import { optionsText, optionsToSend } from "./options.ts";
import type { RuntimeFlow } from "./runtime-flow.ts";

type Answer = Schemas["PutAnswer"];

export type Deployment =
  | { readonly kind: "deployed"; readonly answer: Answer; readonly entry: FlowEntry | undefined }
  /** Somebody else has deployed since the comparison: nothing was changed. */
  | { readonly kind: "stale" }
  /** Nothing was changed: what runs goes on. */
  | { readonly kind: "refused"; readonly reason: string; readonly entry: FlowEntry | undefined };

/** Refusals of the flow itself: it fails again until it, or what it needs, is changed. */
const lasting = [400, 409, 413, 422, 500];

const longestReason = 2000;

/** `entry` of an answer is undefined when the designer's server could not note it: the deployment stands all the same. */
async function noted(record: Promise<FlowEntry>): Promise<FlowEntry | undefined> {
  return record.catch(() => undefined);
}

/** `file`: the saved flow; `before`: what the runtime had when it was compared, undefined for a flow that it did not have. */
export async function deploy(file: FlowFile, target: string, before: RuntimeFlow | undefined): Promise<Deployment> {
  const { id, yaml, options, hash, optionsHash } = file;
  const condition = before === undefined ? { "If-None-Match": "*" } : { "If-Match": before.etag };
  const { data, error } = await runtimeOf(target).PUT("/_api/flows/{id}", {
    params: { path: { id } },
    headers: condition,
    body: { yaml, ...optionsToSend(sendable({ yaml, options })) },
  });
  if (error === undefined) {
    const entry = await noted(recordDeployed(id, { target, hash, optionsHash, revision: data.revision }));
    return { kind: "deployed", answer: data, entry };
  }
  if (error.status === 412) return { kind: "stale" };
  const reason = sentenceOf(error);
  const isNoted = error instanceof ApiError && lasting.includes(error.status);
  const record = { target, hash, optionsHash, reason: reason.slice(0, longestReason) };
  const entry = isNoted ? await noted(recordFailed(id, record)) : undefined;
  return { kind: "refused", reason, entry };
}

/**
 * The access policy is an operator's to deploy. For others it is left out when the runtime has it already; another one
 * keeps the flow from being deployed (see `needsOperator`), since to leave it out could open the flow.
 */
function sendable({ options }: Content): Options {
  if (mayDo("operator")) return options;
  const { policy: _, ...rest } = options;
  return rest;
}

/** Whether the flow brings an access policy that the runtime does not have, and the user may not write one. */
export function needsOperator({ options }: Content, before: RuntimeFlow | undefined): boolean {
  if (mayDo("operator") || !("policy" in options)) return false;
  return optionsText({ policy: options["policy"] }) !== optionsText({ policy: before?.options["policy"] });
}
