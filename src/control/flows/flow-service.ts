/** The interface of flows for the management API, and the documents that it answers with. */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import type { RouteManifest, StepEffects } from "../../shared/manifest.ts";
import type { Isolation, RecordMode } from "../../shared/protocol.ts";
import type { FlowOptions, OptionsChange } from "../stores/flow-options.ts";
import type { QueuePlace } from "../stores/keyed-queue.ts";
import type { DesiredState, FlowFile, StoreStatus } from "../stores/stores.ts";
import type { KillReason } from "../threads/kill.ts";
import type { Alongside } from "./deploy-order.ts";

export type RouteStatus = "Starting" | "Started" | "Stopping" | "Stopped" | "Failed" | "Quarantined";
export type FlowState = RouteStatus | "Changed" | "Gone";

export interface RouteSummary extends Pick<RouteManifest, "once"> {
  readonly id: string;
  readonly uri: string;
  readonly status: RouteStatus;
  /** `/api/<route id>` of a webhook route. */
  readonly webhook?: string;
  /** ISO 8601, UTC: when its timer, scheduler or cron begins the next run; absent: no clock of it runs. */
  readonly nextRun?: string;
}

/** An entry of `GET /_api/flows`: a YAML file of the routes directory, or a flow that runs although its file is gone. */
export interface FlowSummary {
  readonly id: string;
  readonly lastModified: string;
  readonly hash: string;
  readonly routeCount: number;
  readonly state: FlowState;
  readonly revision: number | null;
  readonly deployedHash: string | null;
  readonly routes: readonly RouteSummary[];
  /** Absent: it calls no other flow by a name that its text has. */
  readonly calls?: readonly string[];
  readonly description?: string | undefined;
  readonly category?: string | undefined;
  /** Why the flow is Failed, or what to rename. */
  readonly error?: string;
  /** Present when the caller asked for it. */
  readonly usage?: FlowUsage;
}

/** The settings that a flow has, those of the runtime included. */
export interface SettingsInForce {
  readonly isolation: Isolation;
  readonly threads: number;
  readonly record: RecordMode;
  readonly keepFailed: boolean | "all";
  readonly logHandled: boolean;
}

/** A flow's options as they are set, and what follows of them. */
export interface ReportedOptions extends FlowOptions {
  /** Absent: the operator no longer allows what is set. */
  readonly inForce?: SettingsInForce | undefined;
}

export interface FlowDetail extends FlowSummary, ReportedOptions {
  readonly yaml: string;
  readonly effects: StepEffects;
  /** The set that brought the flow; absent: it was not deployed by one. */
  readonly set?: string | undefined;
  readonly usage: FlowUsage;
  /** ISO 8601, UTC: when the flow is tried again. */
  readonly quarantinedUntil?: string;
  /** The last kill since the start of the runtime. */
  readonly lastKill?: {
    readonly reason: KillReason;
    readonly detail: string;
    /** ISO 8601, UTC. */
    readonly at: string;
    readonly limit?: { readonly name: string; readonly allowed: number; readonly used: number };
  };
}

/** What a flow has now, and what all its deployments have used since the start of the runtime. */
export interface FlowUsage {
  readonly inflight: number;
  readonly queued: number;
  readonly threads: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly cpuMs: number;
  readonly runs: Readonly<Record<"completed" | "failed" | "timeout" | "killed" | "shed" | "cancelled", number>>;
  readonly reruns: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly outboundCalls: number;
  /** The number of kills by reason. */
  readonly kills: Readonly<Record<string, number>>;
  /** Threads of the current deployment that were killed or died. */
  readonly restarts: number;
  /** By route id, and by scheme and host of the endpoints that the flow's text names. */
  readonly routes: Readonly<Record<string, RouteUsage>>;
  readonly endpoints: Readonly<Record<string, EndpointUsage>>;
}

export interface RouteUsage {
  /** Runs that the route began. */
  readonly runs: FlowUsage["runs"];
  /** Runs that these runs caused and that did not complete. */
  readonly childFailures: number;
  readonly retries: number;
  readonly deadLetters: number;
  readonly handledFailures: number;
  readonly idempotentHits: number;
  readonly recoveredGroups: number;
  /** The current number. */
  readonly openAggregations: number;
  readonly heldMessages: number;
  readonly breakers: { readonly closed: number; readonly open: number; readonly halfOpen: number };
}

export interface EndpointUsage {
  readonly ok: number;
  readonly failed: number;
  readonly retries: number;
}

/** The figures behind FlowUsage. */
export interface FlowUsages {
  /** Asks the threads of one flow, or of all flows, that have worked since the last call; skips threads that do not answer in time. */
  refresh(flowId?: string): Promise<void>;
  of(flowId: string): FlowUsage;
  lastKill(flowId: string): FlowDetail["lastKill"];
}

/** The body of a PUT. */
export interface FlowDocument {
  readonly yaml: string;
  /** Fields that are left out stay as they are. */
  readonly options: OptionsChange;
}

/** The policy in a file that lies beside a flow's. */
export interface FilePolicy {
  /** The file's name in the routes directory. */
  readonly file: string;
  /** true: it is for a flow that has no policy. One that is in force stays. */
  readonly ifNone: boolean;
  /** null: the flow is to have none. Throws flow_invalid. */
  read(): Readonly<Record<string, unknown>> | null;
}

/** Makes the part of a policy that is kept in one piece with a revision. */
export type BesidePolicy = (flowId: string, policy: FilePolicy) => NonNullable<PutOptions["alongside"]>;

/** For changes that may read a companion file. */
export interface AdoptOptions {
  readonly place?: QueuePlace | undefined;
  readonly beside: BesidePolicy;
  /** true: the caller logs a failure of the deployment. */
  readonly reported?: boolean;
}

export interface PutOptions {
  /** Does the work with a document that is kept in one piece with the revision; absent: there is none. */
  readonly alongside?: (<T>(work: (part: Alongside) => Promise<T>) => Promise<T>) | undefined;
  /** The place that `enter` returned; absent: the change comes after all others. */
  readonly place?: QueuePlace | undefined;
  /** How long (ms) to wait for the old deployment before it is killed; undefined: the answer comes right after the swap. */
  readonly drainMs?: number | undefined;
  readonly dryRun?: boolean | undefined;
  /** `If-Match` / `If-None-Match` as sent. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A kept revision of a flow. */
export interface RevisionSummary extends FlowOptions {
  readonly revision: number;
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
  /** For the current revision whether it is to run now; for the others the state when they were stored. */
  readonly state: DesiredState;
  /** true: the flow is this revision now. No revision of a deleted flow is. */
  readonly current: boolean;
  readonly yaml: string;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface Plan {
  readonly start: readonly string[];
  readonly stop: readonly string[];
  readonly unchanged: readonly string[];
}

export interface PutAnswer extends ReportedOptions {
  readonly id: string;
  readonly hash: string;
  readonly lastModified: string;
  readonly routeCount: number;
  readonly revision: number;
  readonly created: boolean;
  readonly changed: boolean;
  readonly restarted?: boolean;
  readonly dryRun?: boolean;
  readonly plan?: Plan;
  readonly routes: readonly RouteSummary[];
  readonly warnings: readonly Warning[];
  readonly swap: {
    readonly readyMs: number;
    readonly draining: number;
    readonly drained?: number;
    readonly killed?: number;
  };
}

export interface ValidateAnswer {
  readonly valid: boolean;
  readonly routeCount: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly plan: Plan;
}

export interface DeleteAnswer {
  readonly id: string;
  readonly deleted: true;
  readonly draining: number;
  readonly drained?: number;
  readonly killed?: number;
}

export interface RemoveOptions {
  readonly place?: QueuePlace | undefined;
  readonly drainMs?: number | undefined;
  /** Also removes the revisions, even those of a flow that is deleted already. */
  readonly purge?: boolean | undefined;
  /** Leaves what the flow keeps between messages for a flow that is made again under the id. */
  readonly keepState?: boolean | undefined;
  /** Leaves the flow's file. */
  readonly keepFile?: boolean | undefined;
  readonly ifMatch?: string | undefined;
}

/** Errors are AppErrors: not_found, flow_invalid, route_taken, precondition_failed, disk_full, ... */
export interface FlowService {
  /** Reserves a place among the changes of a flow for a request whose body is still arriving. */
  enter(id: string): QueuePlace;
  list(withUsage?: boolean): Promise<readonly FlowSummary[]>;
  get(id: string): Promise<FlowDetail>;
  put(id: string, document: FlowDocument, options: PutOptions): Promise<PutAnswer>;
  /** Returns the last ten, newest first, also those of a deleted flow; not_found when there is neither the flow nor a revision. */
  revisions(id: string): Promise<readonly RevisionSummary[]>;
  /** Deploys the yaml and the options of that revision as a PUT does; brings a deleted flow back. */
  rollback(id: string, revision: number, options: PutOptions): Promise<PutAnswer>;
  validate(id: string, document: FlowDocument): Promise<ValidateAnswer>;
  remove(id: string, options: RemoveOptions): Promise<DeleteAnswer>;
  start(id: string, options: AdoptOptions): Promise<FlowDetail>;
  /** Also stops a file that was never loaded, before it ever runs. */
  stop(id: string, options: AdoptOptions): Promise<FlowDetail>;
  /** Deploys the file as it is on disk now, with its companion if it was edited. */
  reload(id: string, options: AdoptOptions): Promise<PutAnswer>;
  /** Takes note of what the routes directory has now. */
  lookedAt(files: readonly FlowFile[]): void;
  /** The health report, from state that the main thread has. */
  health(): FlowsHealth;
  /** Returns false while the boot load is under way or the runtime drains. */
  ready(): boolean;
}

export interface RouteHealth {
  readonly id: string;
  readonly flowId: string;
  readonly status: RouteStatus;
  readonly uptime: number;
  readonly inflight: number;
  readonly queued: number;
  readonly restarts: number;
  readonly hash: string;
  readonly lastError: { readonly type: string; readonly message: string; readonly at: string } | null;
}

/** The progress of the boot; all numbers are equal when it is over. */
export interface BootProgress {
  /** Flows that the runtime has. */
  readonly flows: number;
  /** Flows that answer, are stopped, or have failed. */
  readonly loaded: number;
  /** Loaded flows that a thread has compiled, that are stopped, or that have failed. */
  readonly compiled: number;
}

export interface FlowsHealth {
  readonly boot: BootProgress;
  readonly routes: readonly RouteHealth[];
  readonly flows: number;
  /** Files that could not be loaded. */
  readonly failedFiles: readonly { readonly file: string; readonly reason: string }[];
  /** Whether flows can be changed. */
  readonly store: StoreStatus;
}
