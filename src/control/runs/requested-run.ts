/** The part of a run that its request decides: what threads read of it, and the runs above it. */
import type { BodyKind } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { ArmedMocks } from "../threads/invocation.ts";
import type { RequestOf } from "./run-life.ts";

/** What a run knows of the run that calls it. */
interface Above<Run> {
  readonly root: Run;
  readonly child: boolean;
  readonly request: RequestOf<Run>;
}

/** `Run`: the class that extends it. */
export abstract class RequestedRun<Run extends Above<Run> & { readonly runId: string }> {
  abstract readonly runId: string;
  /** What it was begun with. The body is there until its end is reported. */
  readonly request: RequestOf<Run>;

  constructor(request: RequestOf<Run>) {
    this.request = request;
  }

  /** The topmost of the runs that wait for it; the run itself if none does. */
  get root(): Run {
    return this.request.parent?.root ?? (this as unknown as Run);
  }

  get deployment(): Deployment {
    return this.request.deployment;
  }

  get routeIndex(): number {
    return this.request.routeIndex;
  }

  /** The id of `root`. */
  get rootId(): string {
    return this.root.runId;
  }

  /** Whether its caller has named this session, by `test/invoke` or by the header. */
  carries(session: ArmedMocks): boolean {
    const { mocks, trigger } = this.request;
    const asked = trigger.kind === "test" || trigger.kind === "webhook" || trigger.kind === "http";
    return asked && mocks?.includes(session) === true;
  }

  /** The runs that the message of the topmost run has had before: its idempotent keys are those of this run, too. */
  get earlier(): readonly string[] | undefined {
    return this.root.request.earlier;
  }

  get deadline(): number {
    return this.request.deadline;
  }

  get hops(): number {
    return this.request.hops ?? 0;
  }

  get headers(): string {
    return this.request.headers;
  }

  get bodyKind(): BodyKind {
    return this.request.bodyKind;
  }

  get body(): string | Uint8Array | null {
    return this.request.body;
  }

  get extra(): string | undefined {
    return this.request.extra;
  }

  get child(): boolean {
    return this.request.parent !== undefined || this.request.wholeExchange === true;
  }

  get nested(): boolean {
    return this.request.parent?.child === true;
  }

  /** The span id (W3C Trace Context): 16 hexadecimal digits, the random part of the run's id. */
  get spanId(): string {
    return this.runId.slice(-16);
  }
}
