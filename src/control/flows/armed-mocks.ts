/** A test session as runs and threads meet it: its mocks, the memory that counts their uses, and who is told of the calls. */
import type { InvocationResult } from "../../shared/invocation.ts";
import type { MockedCall, MockSet } from "../../shared/mock.ts";
import type { HostedFlow, HostedInvocation } from "./flow-host.ts";

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
  /** A run begins that is in the session; told once more when it is over, `result` undefined when its thread never answered. */
  began(run: HostedInvocation): void;
  ended(run: HostedInvocation, result: InvocationResult | undefined): void;
  /** A thread has recorded a call. */
  recorded(run: HostedInvocation, call: MockedCall): void;
}
