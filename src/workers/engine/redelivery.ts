/**
 * When a failed step is tried again, and what is logged (Camel: RedeliveryPolicy,
 * RedeliveryErrorHandler.logFailedDelivery).
 */

import type { RedeliveryModel } from "../../shared/flow-model.ts";
import type { Level } from "../../shared/protocol.ts";
import { exceptionMessage, exceptionType } from "./exception.ts";
import type { Exchange } from "./exchange.ts";

export interface RedeliveryPolicy {
  /** 0: never; negative: without end. */
  readonly maximumRedeliveries: number;
  readonly redeliveryDelay: number;
  readonly maximumRedeliveryDelay: number;
  readonly useExponentialBackOff: boolean;
  readonly backOffMultiplier: number;
  readonly useCollisionAvoidance: boolean;
  /** A share of the delay, from 0 to 1. */
  readonly collisionAvoidanceFactor: number;
  /** `limit:delay` in ascending order of the limits; empty: none. */
  readonly delayPattern: readonly (readonly [attempt: number, delayMs: number])[];
  readonly logRetryAttempted: boolean;
  readonly retryAttemptedLogLevel: Level;
  readonly retryAttemptedLogInterval: number;
  readonly logExhausted: boolean;
  readonly retriesExhaustedLogLevel: Level;
  readonly logHandled: boolean;
  readonly logContinued: boolean;
  readonly logNewException: boolean;
}

export const noRedelivery: RedeliveryPolicy = {
  maximumRedeliveries: 0,
  redeliveryDelay: 1000,
  maximumRedeliveryDelay: 60_000,
  useExponentialBackOff: false,
  backOffMultiplier: 2,
  useCollisionAvoidance: false,
  collisionAvoidanceFactor: 0.15,
  delayPattern: [],
  logRetryAttempted: true,
  retryAttemptedLogLevel: "DEBUG",
  retryAttemptedLogInterval: 1,
  logExhausted: true,
  retriesExhaustedLogLevel: "ERROR",
  logHandled: false,
  logContinued: false,
  logNewException: true,
};

/**
 * Overrides the inherited policy with the options of the YAML. Throws for a pattern or a factor that cannot be read.
 */
export function redeliveryPolicy(model: RedeliveryModel | undefined, inherited: RedeliveryPolicy): RedeliveryPolicy {
  if (model === undefined) return inherited;
  const { delayPattern, disableRedelivery, backOffMultiplier, collisionAvoidanceFactor, ...plain } = model;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...inherited,
    ...given,
    ...(backOffMultiplier === undefined ? {} : { backOffMultiplier: factor("backOffMultiplier", backOffMultiplier) }),
    ...(collisionAvoidanceFactor === undefined
      ? {}
      : { collisionAvoidanceFactor: factor("collisionAvoidanceFactor", collisionAvoidanceFactor) }),
    ...(delayPattern === undefined ? {} : { delayPattern: patternOf(delayPattern) }),
    ...(disableRedelivery === true ? { maximumRedeliveries: 0 } : {}),
  };
}

/**
 * Returns the delay before the redelivery of this number (from 1); `previous`: the delay before the last one, in
 * milliseconds.
 */
export function redeliveryDelay(policy: RedeliveryPolicy, attempt: number, previous: number): number {
  const { delayPattern, useExponentialBackOff, useCollisionAvoidance, backOffMultiplier } = policy;
  if (delayPattern.length > 0) {
    const matching = delayPattern.filter(([from]) => attempt >= from).at(-1);
    return matching === undefined ? 0 : matching[1];
  }
  let delay = previous;
  if (delay === 0) delay = policy.redeliveryDelay;
  else if (useExponentialBackOff && backOffMultiplier > 1) delay = Math.round(delay * backOffMultiplier);
  else delay = policy.redeliveryDelay;
  if (useCollisionAvoidance) {
    const share = (Math.random() < 0.5 ? -1 : 1) * policy.collisionAvoidanceFactor * Math.random();
    delay += Math.round(delay * share);
  }
  const { maximumRedeliveryDelay } = policy;
  return maximumRedeliveryDelay > 0 ? Math.min(delay, maximumRedeliveryDelay) : delay;
}

function factor(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0)) throw new Error(`${name} is a number such as 1.5; found '${text}'`);
  return value;
}

/**
 * Parses `5:1000;10:5000`: 1000 ms from the 5th attempt on, 5000 ms from the 10th, no delay before (Camel:
 * calculateRedeliverDelayUsingPattern).
 */
function patternOf(text: string): RedeliveryPolicy["delayPattern"] {
  return text.split(";").map((group) => {
    const [, from, delay] = /^\s*(\d+)\s*:\s*(\d+)\s*$/.exec(group) ?? [];
    if (from === undefined || delay === undefined) {
      throw new Error(`delayPattern is written 'attempt:delay;attempt:delay', such as 1:1000;5:5000; found '${text}'`);
    }
    return [Number(from), Number(delay)] as const;
  });
}

/** Logs failed deliveries as an error handler does (Camel: RedeliveryErrorHandler.logFailedDelivery). */
export class DeliveryLog {
  readonly #exchange: Exchange;
  readonly #stepIndex: number;

  constructor(exchange: Exchange, stepIndex: number) {
    this.#exchange = exchange;
    this.#stepIndex = stepIndex;
  }

  /** Called for each failed delivery, including the last one; the first has number 0. */
  attempt(policy: RedeliveryPolicy, error: unknown, attempt: number): void {
    const { logRetryAttempted, retryAttemptedLogInterval: interval, retryAttemptedLogLevel } = policy;
    const delivery = attempt - 1;
    if (!logRetryAttempted || this.#exchange.rollback || (interval > 1 && delivery % interval !== 0)) return;
    this.#log(retryAttemptedLogLevel, `On delivery attempt: ${delivery} caught: ${named(error)}`);
  }

  newException(policy: RedeliveryPolicy, error: unknown): void {
    if (policy.logNewException) this.#log("WARN", `New exception while the failure was handled: ${named(error)}`);
  }

  /** The hook for failures has failed. */
  hook(error: unknown): void {
    this.#log("WARN", `Error during processing OnExceptionOccurred. This exception is ignored. ${named(error)}`);
  }

  /** Called when no delivery follows. `how`: what happened to the failure. */
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
