/** What the calls of all webhooks share. */
import type { IncomingMessage } from "node:http";
import type { Runner } from "../runs/runner.ts";
import type { ArmedMocks } from "../threads/invocation.ts";
import type { TotalBytes } from "./byte-count.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { PolicyGuard } from "./policy-guard.ts";
import type { Webhook } from "./webhooks.ts";

export interface CallSurroundings {
  readonly runner: Runner;
  readonly total: TotalBytes;
  readonly keys: IdempotencyKeys;
  readonly guard: PolicyGuard;
  /** Arms the mocks of the session that a request joins. Throws session_closed. */
  joined(sessionId: string): readonly ArmedMocks[];
  isDeployToken(value: string): boolean;
  /**
   * Returns who answers for the path now: the flow may be replaced, stopped or deleted while a body arrives. Throws
   * AppError.
   */
  current(hook: Webhook, request: IncomingMessage): Webhook;
}
