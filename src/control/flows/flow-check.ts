/** What a deployment checks: the flow's text, by a check thread or as it was checked before, its limits, and the mappings that it names. */
import type { CheckRequest, CheckResult } from "../../shared/check.ts";
import { type Diagnostic, renderDiagnostic } from "../../shared/diagnostic.ts";
import type { Variables } from "../../shared/environment-mark.ts";
import { AppError, LateError } from "../../shared/errors.ts";
import type { StoredLimits } from "../../shared/flow-limits.ts";
import { groupOf } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import { type FlowManifest, hasOneThread } from "../../shared/manifest.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import { describeMore, problemLines } from "../../shared/problems.ts";
import type { Isolation, KeepFailed, RecordMode } from "../../shared/protocol.ts";
import type { CheckedModels } from "../stores/checked-models.ts";
import { type FlowOptions, settingsOf } from "../stores/flow-options.ts";
import { contentHash } from "../stores/stores.ts";
import type { Gate } from "../threads/waiting.ts";
import { type CheckPool, readCheckResult } from "./check-pool.ts";
import { type AccessToConnections, missingConnections } from "./missing-connections.ts";

/** Settings that a flow may choose for itself, as far as the operator allows it. */
export interface OwnSettings {
  readonly limits: Limits;
  readonly record: RecordMode;
  /** Absent: `thread`. */
  readonly isolation?: Isolation;
  /** true: failures that the flow handles are logged. Absent: true. */
  readonly logHandled?: boolean;
  /** Absent: true. */
  readonly keepFailed?: KeepFailed;
}

/** Returns the settings of a flow that sends these limits. Throws limit_not_allowed. */
export type FlowSettings = (overrides: StoredLimits) => OwnSettings;

export interface CheckParts {
  readonly checks: KnownChecks;
  readonly settings: FlowSettings;
  readonly mappingAccess: AccessToMapping;
  readonly connections: AccessToConnections;
  /** The variables of the environment that a flow may read. */
  readonly variables: (flowId: string) => Variables;
}

/** What a flow is made of. */
export interface FlowContent extends FlowOptions {
  readonly flowId: string;
  /** The set that brought the flow; absent: it was not deployed by one. */
  readonly set?: string | undefined;
  readonly yaml: string;
  /** Present: this revision is on the disk already, so that a deployment stores only its state. */
  readonly stored?: { readonly revision: number; readonly hash: string; readonly incarnation: number };
}

export interface CheckedFlow {
  readonly flow: NonNullable<CheckResult["flow"]>;
  readonly diagnostics: CheckResult["diagnostics"];
  readonly limits: Limits;
  readonly record: RecordMode;
  readonly isolation: Isolation;
  readonly logHandled: boolean;
  readonly keepFailed: KeepFailed;
  /** Stores the result for the next start. */
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
 * Missing mappings are among the diagnostics; a flow that is loaded at boot starts all the same. A stored revision may have been
 * checked before; only a new check waits for `gate`.
 */
export async function checkFlow(
  { checks, settings, variables, mappingAccess, connections }: CheckParts,
  content: FlowContent,
  gate?: Gate,
): Promise<CheckedFlow> {
  const { flowId, yaml, params, stored } = content;
  const { limits, record, isolation = "thread", logHandled = true, keepFailed = true } = settings(settingsOf(content));
  const request = { flowId, yaml, params, limits, variables: variables(flowId) };
  const known = await (stored === undefined ? checks.check(request) : checks.recall(request, gate));
  const { flow, diagnostics, remember } = known;
  if (flow === undefined) throw invalid(flowId, diagnostics);
  const absent = await missingOf(flowId, flow.manifest, { mappingAccess, connections });
  return {
    flow,
    diagnostics: [...diagnostics, ...absent],
    limits: hasOneThread(flow.manifest) ? inOneThread(limits, content) : limits,
    record,
    isolation,
    logHandled,
    keepFailed,
    remember,
  };
}

/** State between messages, and sources that must not be read twice, need a single thread. Throws limit_not_allowed for a flow that asks for more. */
function inOneThread(limits: Limits, { threads = 1 }: FlowOptions): Limits {
  if (threads > 1) {
    const message =
      "a flow that keeps state between its messages (aggregate, throttle, seda, global: and route: variables, ...), or takes them as the only one, has one thread: leave out 'threads'";
    throw new AppError("limit_not_allowed", message);
  }
  return { ...limits, threads: 1 };
}

/**
 * `orders.yaml:7:11: unknown step 'lgo' (did you mean 'log'?); 2 more problems, see POST /_api/flows/orders/validate`, followed
 * by the others, one line each.
 */
function invalid(flowId: string, diagnostics: CheckResult["diagnostics"]): AppError {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first = "the flow was not accepted", ...others] = errors.map((one) => renderDiagnostic(`${flowId}.yaml`, one));
  const see = `see POST /_api/flows/${flowId}/validate`;
  const firstLine = others.length === 0 ? first : `${first}; ${describeMore(others.length)}, ${see}`;
  const Refusal = errors.some(({ code }) => code === "check_timeout") ? LateError : AppError;
  return new Refusal(
    "flow_invalid",
    problemLines(firstLine, others, (count) => `${count} more, ${see}`),
  );
}

/** What a flow uses and does not get: mappings, and named connections. */
export async function missingOf(
  flowId: string,
  manifest: FlowManifest,
  { mappingAccess, connections }: Pick<CheckParts, "mappingAccess" | "connections">,
): Promise<readonly Diagnostic[]> {
  const mappings = missingMappings(flowId, manifest, mappingAccess);
  return [...mappings, ...(await missingConnections(flowId, manifest, connections))];
}

/** Whether a flow gets a mapping that it names. */
export type MappingAccess = "given" | "missing" | "other_group";

export type AccessToMapping = (flowId: string, kind: MappingKind, id: string) => MappingAccess;

/**
 * A mapping that is not there is a warning when the flow is deployed, and an error when a run asks for it; one of another group
 * is refused.
 */
function missingMappings(
  flowId: string,
  { mappings, steps }: FlowManifest,
  access: AccessToMapping,
): readonly Diagnostic[] {
  return mappings.flatMap(({ kind, id, routeId, stepId }) => {
    const found = access(flowId, kind, id);
    if (found === "given") return [];
    const at = steps.find((step) => step.id === stepId && step.routeId === routeId)?.at;
    const diagnostic: Diagnostic = {
      ...(found === "missing" ? absent(kind, id) : foreign(flowId, kind, id)),
      line: at?.line ?? null,
      column: at?.column ?? null,
      endLine: at?.endLine ?? null,
      endColumn: at?.endColumn ?? null,
      pointer: "",
      routeId,
      stepId,
    };
    return [diagnostic];
  });
}

type Finding = Pick<Diagnostic, "severity" | "code" | "message">;

function absent(kind: MappingKind, id: string): Finding {
  const message = `there is no ${kind} mapping '${id}': until PUT /_api/${kind}-mappings/${id} installs it, runs fail at this step`;
  return { severity: "warning", code: "missing_mapping", message };
}

function foreign(flowId: string, kind: MappingKind, id: string): Finding {
  const own = groupOf(flowId) === "" ? `'${flowId}' is in no group` : `'${flowId}' is of group '${groupOf(flowId)}'`;
  const message =
    `the ${kind} mapping '${id}' is for flows of group '${groupOf(id)}', and ${own}: add "shared": true to the ` +
    "mapping's document, or use a mapping of the flow's own group or one without a dot in its id";
  return { severity: "error", code: "mapping_of_other_group", message };
}

/** The missing mappings as one line for the log, at boot, when no caller gets diagnostics; undefined: nothing is missing. */
export function missingMappingsMessage(
  flowId: string,
  manifest: FlowManifest,
  access: AccessToMapping,
): string | undefined {
  const [first, ...others] = missingMappings(flowId, manifest, access);
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : `; ${others.length} more: POST /_api/flows/${flowId}/validate`;
  return `step '${first.stepId}' of route '${first.routeId}': ${first.message}${more}`;
}

interface KnownCheck extends CheckResult {
  /** Stores the result for the next start, unless it was read from there. */
  remember(): void;
}

/** Checks texts and stores the results: a text that the same code has checked before is not checked again after a restart. */
export class KnownChecks {
  readonly #checks: CheckPool;
  readonly #models: CheckedModels;

  constructor(checks: CheckPool, models: CheckedModels) {
    this.#checks = checks;
    this.#models = models;
  }

  async check(request: CheckRequest): Promise<KnownCheck> {
    return this.#check(request, this.#keyOf(request));
  }

  /** Returns the stored result if there is one; otherwise the check waits for `gate`. */
  async recall(request: CheckRequest, gate?: Gate): Promise<KnownCheck> {
    const key = this.#keyOf(request);
    const known = await this.#read(request, key);
    if (known !== undefined) return { ...known, remember() {} };
    const check = () => this.#check(request, key);
    return gate === undefined ? check() : gate.pass(check);
  }

  /** A stored result is validated like the answer of a thread; undefined: there is none, or it is not valid. */
  async #read(request: CheckRequest, key: string): Promise<CheckResult | undefined> {
    const kept = await this.#models.read(request.flowId, key);
    if (kept === undefined) return undefined;
    try {
      return readCheckResult(kept, request);
    } catch {
      return undefined;
    }
  }

  forget(flowId: string): void {
    this.#models.forget(flowId);
  }

  async #check(request: CheckRequest, key: string): Promise<KnownCheck> {
    const { flow, diagnostics } = await this.#checks.check(request);
    if (flow === undefined) return { diagnostics, remember() {} };
    return { flow, diagnostics, remember: () => this.#models.keep(request.flowId, key, { flow, diagnostics }) };
  }

  /** The hash of all that a check depends on: the request, and the code of the check thread. */
  #keyOf({ flowId, yaml, params, limits, variables = new Map() }: CheckRequest): string {
    const { codeVersion } = this.#checks;
    return contentHash(JSON.stringify([codeVersion, process.version, flowId, yaml, params, limits, [...variables]]));
  }
}
