/** Messages whose source has failed: the route's error handler gets them in place of its steps. */
import { type ErrorHandling, guarded } from "../engine/error-handling.ts";
import type { Processor } from "../engine/processor.ts";

export function unlessFailed(steps: Processor, errors: ErrorHandling | undefined): Processor {
  const fail: Processor = ({ sourceFailure }) => {
    throw sourceFailure?.error;
  };
  const failing = errors === undefined ? fail : guarded(fail, withoutRetries(errors), -1);
  return (exchange) => (exchange.sourceFailure === undefined ? steps(exchange) : failing(exchange));
}

/** There is nothing to try again. */
function withoutRetries(errors: ErrorHandling): ErrorHandling {
  const once = <T extends { readonly maximumRedeliveries: number }>(policy: T): T => ({
    ...policy,
    maximumRedeliveries: 0,
  });
  return {
    ...errors,
    policy: once(errors.policy),
    clauses: errors.clauses.map((clause) => ({ ...clause, policy: once(clause.policy), retryWhile: undefined })),
  };
}
