/** Messages that a thread refuses before the first step: the caller's fault, answered with its code. */
import type { ErrorCode } from "../../shared/errors.ts";
import { Outcome } from "../../shared/protocol.ts";

export interface RefusedMessage {
  readonly code: ErrorCode;
  readonly message: string;
}

const refusals: Partial<Record<Outcome, RefusedMessage>> = {
  [Outcome.badJson]: { code: "bad_json", message: "the body is not the JSON that its Content-Type says" },
  [Outcome.badForm]: { code: "bad_request", message: "the form has an escape that is not UTF-8" },
  [Outcome.longForm]: {
    code: "body_too_large",
    message: "the form's fields are more than a message's headers hold",
  },
  [Outcome.bigJson]: {
    code: "body_too_large",
    message: "the values of the JSON document take more memory than the flow's thread has",
  },
};

/** undefined: the run did not end for its message. */
export function refusedMessage(outcome: Outcome | undefined): RefusedMessage | undefined {
  return outcome === undefined ? undefined : refusals[outcome];
}
