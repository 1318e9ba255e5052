/** Deploys a flow to a runtime: over the version that was compared, and not over one that came since. */
import { orThrow } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import type { MappingKind } from "../../../shared/mapping-uses.ts";
import type { FlowEntry, FlowFile, Options } from "../../../shared/wire.ts";
import { refreshMappings } from "../api/cache.ts";
import { runtimeOf } from "../api/runtime.ts";
import { sentenceOf } from "../api/sentence.ts";
import { mayDo } from "../api/session.ts";
import { recordDeployed, recordFailed } from "../api/workspace.ts";
import { words } from "../words.ts";
import type { Content } from "./check.ts";
import { optionsText, optionsToSend } from "./options.ts";
import type { RuntimeFlow } from "./runtime-flow.ts";
import { noteTravelled, partOf, type Travelling } from "./travelling.ts";

/** What a deployment has made, whether the flow was deployed alone or with mappings. */
export interface Answer {
  readonly revision: number;
  readonly changed: boolean;
  readonly restarted?: boolean | undefined;
  readonly warnings: readonly { readonly message: string }[];
  readonly routes: readonly { readonly id: string; readonly status: string }[];
  readonly mappings: readonly { readonly kind: MappingKind; readonly id: string; readonly revision: number }[];
}

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

/**
 * `file`: the saved flow; `before`: what the runtime had when it was compared, undefined for a flow that it did not have.
 * `mappings` go along: all of it is deployed, or none.
 */
export async function deploy(
  file: FlowFile,
  target: string,
  before: RuntimeFlow | undefined,
  mappings: readonly Travelling[] = [],
): Promise<Deployment> {
  const { id, hash, optionsHash } = file;
  try {
    const answer =
      mappings.length === 0 ? await putFlow(file, target, before) : await putWith(file, target, before, mappings);
    const entry = await noted(recordDeployed(id, { target, hash, optionsHash, revision: answer.revision }));
    await noteTravelled(answer.mappings, mappings, target);
    if (mappings.length > 0) refreshMappings(target);
    return { kind: "deployed", answer, entry };
  } catch (error) {
    return refusal(error, file, target);
  }
}

async function refusal(error: unknown, { id, hash, optionsHash }: FlowFile, target: string): Promise<Deployment> {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 412) return { kind: "stale" };
  const reason = sentenceOf(error);
  const isNoted = lasting.includes(error.status);
  const record = { target, hash, optionsHash, reason: reason.slice(0, longestReason) };
  const entry = isNoted ? await noted(recordFailed(id, record)) : undefined;
  return { kind: "refused", reason, entry };
}

async function putFlow(file: FlowFile, target: string, before: RuntimeFlow | undefined): Promise<Answer> {
  const { id, yaml } = file;
  const data = await orThrow(
    runtimeOf(target).PUT("/_api/flows/{id}", {
      params: { path: { id } },
      headers: before === undefined ? { "If-None-Match": "*" } : { "If-Match": before.etag },
      body: { yaml, ...optionsToSend(sendable(file)) },
    }),
  );
  return { ...data, mappings: [] };
}

/** Deploys the flow and its mappings as one change of the runtime. */
async function putWith(
  file: FlowFile,
  target: string,
  before: RuntimeFlow | undefined,
  mappings: readonly Travelling[],
): Promise<Answer> {
  const { id, yaml } = file;
  const over = before === undefined ? { ifNoneMatch: "*" as const } : { ifMatch: before.etag };
  const runtime = runtimeOf(target);
  const done = await orThrow(
    runtime.POST("/_api/deployments", {
      body: {
        flows: [{ id, yaml, ...over, ...optionsToSend(sendable(file)) }],
        mappings: mappings.map(partOf),
      },
    }),
  );
  const warnings = [
    ...done.flows.flatMap((flow) => flow.warnings),
    ...done.mappings.flatMap((one) =>
      one.warnings.map(({ message }) => ({ message: words.deploy.ofMapping(one.id, message) })),
    ),
    ...done.warnings,
  ];
  const { routes } = await orThrow(runtime.GET("/_api/flows/{id}", { params: { path: { id } } }));
  const { revision = 0 } = done.flows[0] ?? {};
  return { revision, changed: done.changed, warnings, routes, mappings: done.mappings };
}

/**
 * The access policy is an operator's to deploy. For others it is left out when the runtime has it already; another one
 * keeps the flow from being deployed (see `needsOperator`), since to leave it out could open the flow.
 */
function sendable({ options }: Pick<Content, "options">): Options {
  if (mayDo("operator")) return options;
  const { policy: _, ...rest } = options;
  return rest;
}

/** Whether the flow brings an access policy that the runtime does not have, and the user may not write one. */
export function needsOperator({ options }: Content, before: RuntimeFlow | undefined): boolean {
  if (mayDo("operator") || !("policy" in options)) return false;
  return optionsText({ policy: options["policy"] }) !== optionsText({ policy: before?.options["policy"] });
}
