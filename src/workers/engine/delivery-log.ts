/** What an error handler logs of a failed step (Camel: RedeliveryErrorHandler.logFailedDelivery). */
import { exceptionMessage, exceptionType } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import type { RedeliveryPolicy } from "./redelivery.ts";

export class DeliveryLog {
  readonly #exchange: Exchange;
  readonly #stepIndex: number;

  constructor(exchange: Exchange, stepIndex: number) {
    this.#exchange = exchange;
    this.#stepIndex = stepIndex;
  }

  /** Of each delivery, the last one too; the first is number 0. */
  attempt(policy: RedeliveryPolicy, error: unknown, attempt: number): void {
    const { logRetryAttempted, retryAttemptedLogInterval: interval, retryAttemptedLogLevel } = policy;
    const delivery = attempt - 1;
    if (!logRetryAttempted || this.#exchange.rollback || (interval > 1 && delivery % interval !== 0)) return;
    this.#log(retryAttemptedLogLevel, `On delivery attempt: ${delivery} caught: ${named(error)}`);
  }

  newException(policy: RedeliveryPolicy, error: unknown): void {
    if (policy.logNewException) this.#log("WARN", `New exception while the failure was handled: ${named(error)}`);
  }

  /** No delivery follows. `how`: what became of the failure. */
  exhausted(policy: RedeliveryPolicy, error: unknown, attempt: number, how: string): void {
    if (!policy.logExhausted) return;
    const text = `Exhausted after delivery attempt: ${attempt} caught: ${named(error)}${how}`;
    this.#log(policy.retriesExhaustedLogLevel, text);
  }

  #log(level: RedeliveryPolicy["retryAttemptedLogLevel"], text: string): void {
    const { run, id } = this.#exchange;
    if (run.logs(level)) run.log(this.#stepIndex, level, "", `Failed delivery for (ExchangeId: ${id}). ${text}`);
  }
}

function named(error: unknown): string {
  return `${exceptionType(error)}: ${exceptionMessage(error)}`;
}
