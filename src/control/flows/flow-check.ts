/** What a deployment checks: the flow's text, its limits, and what it is given beside them. */
import type { CheckResult, Params } from "../../shared/check.ts";
import { renderDiagnostic } from "../../shared/diagnostic.ts";
import type { Variables } from "../../shared/environment-mark.ts";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import { hasOneThread } from "../../shared/manifest.ts";
import { describeMore, problemLines } from "../../shared/problems.ts";
import type { Isolation, RecordMode } from "../../shared/protocol.ts";
import type { StoredLimits } from "../stores/stores.ts";
import type { Gate } from "../threads/waiting.ts";
import type { KnownChecks } from "./known-checks.ts";
import { type AccessToMapping, missingMappings } from "./missing-mappings.ts";

/** What a flow has of its own, as far as the operator allows it. */
export interface OwnSettings {
  readonly limits: Limits;
  readonly record: RecordMode;
  /** Absent: `thread`. */
  readonly isolation?: Isolation;
  /** Failures that the flow handles are logged. Absent: they are. */
  readonly logHandled?: boolean;
}

/** Of a flow that sends these limits. Throws limit_not_allowed. */
export type FlowSettings = (overrides: StoredLimits) => OwnSettings;

export interface CheckParts {
  readonly checks: KnownChecks;
  readonly settings: FlowSettings;
  readonly mappingAccess: AccessToMapping;
  /** What a flow may read of the environment. */
  readonly variables: (flowId: string) => Variables;
}

/** What a flow is made of. */
export interface FlowContent {
  readonly flowId: string;
  readonly yaml: string;
  readonly params: Params;
  readonly limits: StoredLimits;
  /** Present: this revision is on the disk already; a deployment is of it, and only its state is kept. */
  readonly stored?: { readonly revision: number; readonly hash: string };
}

export interface CheckedFlow {
  readonly flow: NonNullable<CheckResult["flow"]>;
  readonly diagnostics: CheckResult["diagnostics"];
  readonly limits: Limits;
  readonly record: RecordMode;
  readonly isolation: Isolation;
  readonly logHandled: boolean;
  /** Keeps what was found for the next start. */
  remember(): void;
}

/** Throws AppError flow_invalid, also for a mapping of another group. */
export async function acceptFlow(parts: CheckParts, content: FlowContent): Promise<CheckedFlow> {
  const checked = await checkFlow(parts, content);
  if (checked.diagnostics.some(({ severity }) => severity === "error"))
    throw invalid(content.flowId, checked.diagnostics);
  return checked;
}

/**
 * What the flow is not given is among the diagnostics; a flow that is loaded at boot starts all the same. What is on the disk may have
 * been checked before; `gate` is passed only when it has not.
 */
export async function checkFlow(
  { checks, settings, variables, mappingAccess }: CheckParts,
  { flowId, yaml, params, limits: overrides, stored }: FlowContent,
  gate?: Gate,
): Promise<CheckedFlow> {
  const { limits, record, isolation = "thread", logHandled = true } = settings(overrides);
  const request = { flowId, yaml, params, limits, variables: variables(flowId) };
  const known = await (stored === undefined ? checks.check(request) : checks.recall(request, gate));
  const { flow, diagnostics, remember } = known;
  if (flow === undefined) throw invalid(flowId, diagnostics);
  const absent = missingMappings(flowId, flow.manifest, mappingAccess);
  return {
    flow,
    diagnostics: [...diagnostics, ...absent],
    limits: hasOneThread(flow.manifest) ? inOneThread(limits, overrides) : limits,
    record,
    isolation,
    logHandled,
    remember,
  };
}

/** What is kept between messages, or must not be taken twice, is in one thread. Throws limit_not_allowed for a flow that asks for more threads. */
function inOneThread(limits: Limits, { threads = 1 }: StoredLimits): Limits {
  if (Number(threads) > 1) {
    const message =
      "a flow that keeps state between its messages (aggregate, throttle, seda, ...), or takes them as the only one, has one thread: leave out the limit 'threads'";
    throw new AppError("limit_not_allowed", message);
  }
  return { ...limits, threads: 1 };
}

/**
 * `orders.yaml:7:11: unknown step 'lgo' (did you mean 'log'?); 2 more problems, see POST /_api/flows/orders/validate`, and
 * these below it, a line each.
 */
function invalid(flowId: string, diagnostics: CheckResult["diagnostics"]): AppError {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first = "the flow was not accepted", ...others] = errors.map((one) => renderDiagnostic(`${flowId}.yaml`, one));
  const see = `see POST /_api/flows/${flowId}/validate`;
  const firstLine = others.length === 0 ? first : `${first}; ${describeMore(others.length)}, ${see}`;
  return new AppError(
    "flow_invalid",
    problemLines(firstLine, others, (count) => `${count} more, ${see}`),
  );
}
