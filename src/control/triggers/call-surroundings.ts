/**
 * What the calls of all webhooks share, and the count of the bytes that they make the runtime hold: bodies that arrive, wait or run, and
 * unread answers, for each flow and in all.
 */

import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { largeBody } from "../../shared/protocol.ts";
import type { ByteCount, Deployment } from "../flows/deployment.ts";
import type { FailedKeeper } from "../runs/failed/failed-keeper.ts";
import type { Runner } from "../runs/runner.ts";
import type { ArmedMocks } from "../threads/invocation.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { PolicyGuard } from "./policy-guard.ts";
import type { Webhook } from "./webhooks.ts";

export interface CallSurroundings {
  /** Keeps messages of calls that are answered 202. */
  readonly failed: Pick<FailedKeeper, "keepsAccepted" | "accept" | "withdraw">;
  readonly runner: Runner;
  readonly total: TotalBytes;
  readonly keys: IdempotencyKeys;
  readonly guard: PolicyGuard;
  /** Arms the mocks of the session that a request joins. Throws session_closed. */
  joined(sessionId: string): readonly ArmedMocks[];
  isDeployToken(value: string): boolean;
  /**
   * Returns the hook that answers for the path now: the flow may be replaced, stopped or deleted while a body arrives. Throws
   * AppError.
   */
  current(hook: Webhook, request: IncomingMessage): Webhook;
}

/**
 * Joins a test session. A kept answer of a real call must not answer a test, nor the other way round. Throws
 * session_closed, and bad_request for a call with an idempotency key.
 */
export function joinSession(
  { joined }: Pick<CallSurroundings, "joined">,
  sessionId: string,
  hasKey: boolean,
): readonly ArmedMocks[] {
  if (!hasKey) return joined(sessionId);
  throw new AppError("bad_request", "a request with X-Test-Session has no Idempotency-Key: leave one of them out");
}

/** The count of all flows together. */
export interface TotalBytes extends ByteCount {
  readonly most: number;
}

/**
 * Throws body_too_large or bytes_in_flight when `bytes` more of a body are too many; `already`: its bytes so far.
 * `signed`: the caller signs the body.
 */
export function refuseBytes(flow: Deployment, total: TotalBytes, bytes: number, already = 0, signed = false): void {
  const { webhookBodyBytes, signedBodyBytes, flowBytesInFlight } = flow.limits;
  const most = signed ? Math.min(signedBodyBytes, webhookBodyBytes) : webhookBodyBytes;
  if (already + bytes > most) {
    throw new AppError("body_too_large", `a ${signed ? "signed" : "webhook's"} body has at most ${most} bytes`);
  }
  if (flow.bytes.inFlight + bytes > flowBytesInFlight || total.inFlight + bytes > total.most) {
    throw new AppError("bytes_in_flight", "too many bytes are waiting to be processed: try again later", {
      "Retry-After": "1",
    });
  }
}

/**
 * Throws answer_not_sent for a large answer that does not fit beside what is held already. An answer is sent if nothing
 * else is held, and so are small ones: a socket takes them at once.
 */
export function refuseAnswer(flow: Deployment, total: TotalBytes, bytes: number): void {
  if (bytes < largeBody) return;
  const { flowBytesInFlight } = flow.limits;
  if (isOverfull(flow.bytes, flowBytesInFlight, bytes) || isOverfull(total, total.most, bytes)) {
    throw new AppError(
      "answer_not_sent",
      `the run was carried out, but its answer of ${bytes} bytes does not fit beside those that have not been read yet`,
      // A caller that reads nothing loses its connection, too.
      { "Retry-After": "1", Connection: "close" },
    );
  }
}

function isOverfull({ inFlight }: ByteCount, most: number, bytes: number): boolean {
  return inFlight > 0 && inFlight + bytes > most;
}

export function countBytes(flow: ByteCount, total: ByteCount, bytes: number): void {
  flow.inFlight += bytes;
  total.inFlight += bytes;
}
