/** What the management API asks of the rest of the runtime. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Description } from "../../shared/check.ts";
import type { LimitName, Limits } from "../../shared/limits.ts";
import type { Policies } from "../access/policies.ts";
import type { FlowService } from "../flows/flow-service.ts";
import type { MappingService } from "../mappings/mapping-service.ts";
import type { Fixture } from "../runs/fixture/fixture-document.ts";
import type { RunDetail, RunDocument } from "../runs/run-document.ts";
import type { RunQuery } from "../runs/run-history.ts";
import type { RuntimeProblem } from "../runs/runtime-problems.ts";
import type { TestService } from "../runs/test-sessions/test-service.ts";
import type { UsageQuery, UsageReport } from "../runs/usage/usage.ts";
import type { StreamQuery } from "../streams/stream-filter.ts";
import type { AuditTrail, HashOf } from "./audit.ts";

export interface Services {
  readonly flows: FlowService;
  readonly mappings: MappingService;
  readonly runs: RunService;
  readonly tests: TestService;
  readonly policies: Pick<Policies, "put" | "find" | "mask" | "remove" | "forget">;
  readonly streams: { readonly trace: StreamEndpoint; readonly logs: StreamEndpoint };
  /** The catalogue and the schema of a flow document. */
  describe(): Promise<Description>;
  /** The Prometheus exposition. */
  metrics(): Promise<{ readonly contentType: string; readonly body: string }>;
  /** What is wrong, beside what its flows and stores tell; `routes`: those whose runs fail, too. */
  problems(routes: boolean): readonly RuntimeProblem[];
  /** Throws `overloaded` while nothing new is to begin. */
  refuseOverload(): void;
  usage(query: UsageQuery): Promise<UsageReport>;
  /** Absent: nothing is recorded. */
  readonly audit?: {
    readonly trail: AuditTrail;
    readonly hashOf: HashOf;
    readonly actorOf: (request: IncomingMessage) => string;
  };
  readonly limits: LimitSettings;
  readonly runtime: RuntimeFacts;
  /** Told of errors that were answered as `internal`, for the log. */
  onError(error: unknown, requestId: string): void;
}

export interface RunService {
  /** Newest first, running ones included; nothing matches: empty. */
  list(query: RunQuery): readonly RunDocument[];
  /** A run under way: as it is at this moment. AppError `not_found`. */
  get(id: string): Promise<RunDetail>;
  /** A body for `POST /_api/test/session`. AppErrors `not_found`, `run_not_recorded`. */
  fixture(id: string): Fixture;
  /** Asks the run to stop and answers how it stands then. AppErrors `not_found`, `run_finished`. */
  cancel(id: string): RunDetail;
}

export interface StreamEndpoint {
  /** Answers with the stream and returns at once. Throws AppErrors (`too_many_subscribers`, `bad_query`) before it writes anything. */
  subscribe(request: IncomingMessage, reply: ServerResponse, query: StreamQuery): void;
}

export interface LimitSettings {
  readonly values: Limits;
  /** What a flow may raise a limit to; absent: flows may not override it. */
  readonly ceilings: Readonly<Partial<Record<LimitName, number>>>;
}

export interface RuntimeFacts {
  /** Of package.json. */
  readonly version: string;
  /** Epoch ms. */
  readonly startedAt: number;
}
