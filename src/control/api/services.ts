/** The interfaces of the runtime that the management API calls. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Description } from "../../shared/check.ts";
import type { LimitName, Limits } from "../../shared/limits.ts";
import type { PeekedPreview } from "../../shared/peek.ts";
import type { Policies } from "../access/policies.ts";
import type { Backups } from "../backup/backups.ts";
import type { ConnectionService } from "../connections/connection-service.ts";
import type { SetService } from "../deployments/set-document.ts";
import type { FlowService } from "../flows/flow-service.ts";
import type { KeptState } from "../flows/kept-state.ts";
import type { MappingService } from "../mappings/mapping-service.ts";
import type { FailedService } from "../runs/failed/failed-service.ts";
import type { Fixture } from "../runs/fixture/fixture-document.ts";
import type { FlowConsumer } from "../runs/metrics.ts";
import type { RunDetail, RunDocument } from "../runs/run-document.ts";
import type { RunQuery } from "../runs/run-history.ts";
import type { RuntimeProblem } from "../runs/runtime-problems.ts";
import type { SessionChecks } from "../runs/test-sessions/session-checks.ts";
import type { GivenMessage, InvokeAnswer, TestService } from "../runs/test-sessions/test-service.ts";
import type { UsageQuery, UsageReport } from "../runs/usage/usage.ts";
import type { SecretNames } from "../stores/secrets.ts";
import type { StreamQuery } from "../streams/stream-filter.ts";
import type { AuditTrail, HashOf } from "./audit.ts";

export interface Services {
  readonly flows: FlowService;
  readonly mappings: MappingService;
  readonly connections: ConnectionService;
  readonly deployments: SetService;
  readonly state: Pick<KeptState, "list" | "keys" | "remove" | "removeKey">;
  readonly secrets: SecretNames;
  readonly runs: RunService;
  readonly tests: TestService;
  readonly expressions: Pick<SessionChecks, "evaluate">;
  readonly runNow: RunNowService;
  readonly peek: PeekService;
  readonly failed: Pick<FailedService, "list" | "get" | "retry" | "discard" | "retryMany" | "discardMany">;
  readonly policies: Pick<
    Policies,
    "put" | "find" | "list" | "inForce" | "alongside" | "ofFiles" | "plan" | "mask" | "remove" | "forget"
  >;
  readonly streams: { readonly trace: StreamEndpoint; readonly logs: StreamEndpoint };
  /** The catalogue and the schema of a flow document. */
  describe(): Promise<Description>;
  /** The Prometheus exposition. */
  metrics(): Promise<{ readonly contentType: string; readonly body: string }>;
  /** Returns the problems of the runtime, beside those of flows and stores; `routes`: includes routes whose runs fail. */
  problems(routes: boolean): readonly RuntimeProblem[];
  /** Returns the consumers of a flow, or of all flows. */
  consumers(flowId?: string): readonly FlowConsumer[];
  /** Throws `overloaded` while the runtime takes no new work. */
  refuseOverload(): void;
  usage(query: UsageQuery): Promise<UsageReport>;
  /** Absent: nothing is on the disk. */
  readonly backups?: Pick<Backups, "begin">;
  /** Absent: no call is recorded. */
  readonly audit?: {
    readonly trail: AuditTrail;
    readonly hashOf: HashOf;
  };
  /** Names the caller, as the audit log does. */
  readonly actorOf: (request: IncomingMessage) => string;
  readonly limits: LimitSettings;
  readonly runtime: RuntimeFacts;
  /** Logs an error that was answered as `internal`. */
  onError(error: unknown, requestId: string): void;
}

export interface RunService {
  /** Returns the runs that match, newest first, including those under way. */
  list(query: RunQuery): readonly RunDocument[];
  /** Returns the current state of a run under way, too. AppError `not_found`. */
  get(id: string): Promise<RunDetail>;
  /** Returns a body for `POST /_api/test/session`. AppErrors `not_found`, `run_not_recorded`. */
  fixture(id: string): Fixture;
  /** Asks the run to stop and returns its state after that. AppErrors `not_found`, `run_finished`. */
  cancel(id: string): RunDetail;
}

export interface RunNowService {
  /**
   * Begins a run of a route that otherwise a clock or a poll begins, and resolves at its end. AppErrors `not_found`,
   * `not_triggerable`, `flow_quarantined_locked`, `run_timeout`.
   */
  begin(flowId: string, routeId: string, given: GivenMessage): Promise<InvokeAnswer>;
}

export interface PeekService {
  /** Resolves with the next messages of a consumer, which stay where they are. AppErrors `not_found`, `not_peekable`. */
  messages(flowId: string, routeId: string, limit: number): Promise<readonly PeekedPreview[]>;
}

export interface StreamEndpoint {
  /** Starts the stream and returns at once. Throws AppErrors (`too_many_subscribers`, `bad_query`) before it writes anything. */
  subscribe(request: IncomingMessage, reply: ServerResponse, query: StreamQuery): void;
}

export interface LimitSettings {
  readonly values: Limits;
  /** The most that a flow may set a limit to; a limit without an entry is not for flows to set. */
  readonly ceilings: Readonly<Partial<Record<LimitName, number>>>;
}

export interface RuntimeFacts {
  /** The version of package.json. */
  readonly version: string;
  /** Epoch ms. */
  readonly startedAt: number;
  /** ROUTES_WATCH. */
  readonly routesWatch: boolean;
}
