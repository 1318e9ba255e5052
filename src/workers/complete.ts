/** The end of an exchange that a run began with. */
import { exceptionMessage } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";

/** Calls the completions of an exchange, which cannot change its outcome. The promise does not reject. */
export function complete(exchange: Exchange, failed: boolean, error: unknown): void | Promise<void> {
  const warn = (problem: unknown): void => {
    exchange.run.log(-1, "ERROR", "", `what follows the end of the exchange failed: ${exceptionMessage(problem)}`);
  };
  try {
    return exchange.done(failed, error)?.catch(warn);
  } catch (problem) {
    warn(problem);
  }
}
