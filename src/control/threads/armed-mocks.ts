/** A test session as runs and threads meet it: its mocks, the memory that counts their uses, and who is told of the calls. */
import type { InvocationResult } from "../../shared/invocation.ts";
import type { MockedCall, MockSet } from "../../shared/mock.ts";
import type { HostedFlow, HostedInvocation } from "./hosted.ts";

export interface ArmedMocks {
  /** Of the session, for threads: shorter than its id, and never given again. */
  readonly number: number;
  readonly sessionId: string;
  /** `session`: only runs that carry it; `deployment`: every run of the deployment. */
  readonly scope: "deployment" | "session";
  /** The deployment whose steps are meant; in others, which its runs call, only the mocks of endpoints apply. */
  readonly hosted: HostedFlow;
  readonly set: MockSet;
  /** See `MockWord`. */
  readonly words: SharedArrayBuffer;
  readonly mostRecorded: number;
  /** false: it has been told of so many calls, and threads tell of no more. */
  readonly listens: boolean;
  /** false: its mocks do not answer any more, and runs that begin are not in it. */
  readonly armed: boolean;
  /** Ids of the routes of its flow that `test/invoke` begins in place of their own trigger. */
  readonly replaced: ReadonlySet<string>;
  /** Threads that have its mocks, told when it is over. */
  readonly holders: Set<MockHolder>;
  /** A run begins that is in the session; told once more when it is over, `result` undefined when its thread never answered. */
  began(run: HostedInvocation): void;
  ended(run: HostedInvocation, result: InvocationResult | undefined): void;
  /** Work that a run of it has left behind in a thread, and that will be a run of its own, has come (1) or gone (-1). */
  waiting(by: 1 | -1): void;
  /** A thread has recorded a call; `characters`: of its JSON. */
  recorded(run: HostedInvocation, call: MockedCall, characters: number): void;
}

export interface MockHolder {
  /** No run of the session of this number will come any more. */
  disarm(session: number): void;
}
