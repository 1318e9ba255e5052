/** The end of an exchange that a run began with. */
import { exceptionMessage } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";

/**
 * Calls the completions of an exchange. Only one that waits can change the outcome: when it fails at the end of a route
 * that has succeeded, such as a key that cannot be stored, the promise rejects, and the run has failed.
 */
export function complete(exchange: Exchange, failed: boolean, error: unknown): void | Promise<void> {
  const warn = (problem: unknown): void => {
    exchange.run.log(-1, "ERROR", "", `what follows the end of the exchange failed: ${exceptionMessage(problem)}`);
  };
  try {
    const ending = exchange.done(failed, error);
    return failed ? ending?.catch(warn) : ending;
  } catch (problem) {
    warn(problem);
  }
}
