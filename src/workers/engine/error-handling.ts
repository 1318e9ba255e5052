/**
 * Wraps each step of a route that handles errors (Camel: RedeliveryErrorHandler). It redelivers to the failed step,
 * then passes the exchange to the clause of the exception or to the dead letter channel, and decides how the routing
 * continues.
 */
import { convertTo, truthy } from "./convert.ts";
import type { ErrorClause, ErrorHandling, ErrorHooks } from "./error-clauses.ts";
import { closestClause } from "./exception-match.ts";
import type { Exchange } from "./exchange.ts";
import { announceHandled, failureDetails, isDone, noticing } from "./handled.ts";
import type { MessageSnapshot } from "./message.ts";
import type { Processor } from "./processor.ts";
import { DeliveryLog, type RedeliveryPolicy, redeliveryDelay } from "./redelivery.ts";
import { setProperty } from "./variables.ts";
import { wait } from "./waiting.ts";

const mostShown = 1e15;
const mostCauses = 100;
/** Failures of handlers that led to themselves, which no handler may call handled. */
const circular = new WeakSet<object>();
const redeliveryHeaders = ["CamelRedelivered", "CamelRedeliveryCounter", "CamelRedeliveryMaxCounter"] as const;

/**
 * Wraps a step with error handling. The message is kept before each run of the step only if the step may be tried
 * again.
 */
export function guarded(step: Processor, errors: ErrorHandling, stepIndex: number): Processor {
  const redelivers = [errors.policy, ...errors.clauses.map(({ policy }) => policy)].some(
    ({ maximumRedeliveries }) => maximumRedeliveries !== 0,
  );
  const keeps = redelivers || errors.clauses.some(({ retryWhile }) => retryWhile !== undefined);
  const { occurred, prepare } = errors.hooks;
  const handles = errors.clauses.length > 0 || errors.deadLetter !== undefined;
  if (!keeps && !handles && occurred === undefined && prepare === undefined) return noticing(step);
  return (exchange) => {
    const before = keeps ? exchange.message.snapshot() : undefined;
    const failed = (error: unknown): Promise<void> =>
      new Failure(step, errors, stepIndex, exchange, before).handle(error);
    try {
      const pending = step(exchange);
      return pending?.catch((error: unknown) => (isDone(exchange) ? rethrow(error) : failed(error)));
    } catch (error) {
      if (isDone(exchange)) throw error;
      return failed(error);
    }
  };
}

function rethrow(error: unknown): never {
  throw error;
}

/** One failed step of one exchange, until a redelivery succeeds or no further one is allowed. */
class Failure {
  readonly #step: Processor;
  readonly #errors: ErrorHandling;
  readonly #stepIndex: number;
  readonly #exchange: Exchange;
  readonly #before: MessageSnapshot | undefined;
  readonly #log: DeliveryLog;
  /** The clause of the last exception that had one. */
  #clause: ErrorClause | undefined;
  #delay = 0;

  constructor(
    step: Processor,
    errors: ErrorHandling,
    stepIndex: number,
    exchange: Exchange,
    before: MessageSnapshot | undefined,
  ) {
    this.#step = step;
    this.#errors = errors;
    this.#stepIndex = stepIndex;
    this.#exchange = exchange;
    this.#before = before;
    this.#log = new DeliveryLog(exchange, stepIndex);
  }

  get #policy(): RedeliveryPolicy {
    return this.#clause?.policy ?? this.#errors.policy;
  }

  async handle(first: unknown): Promise<void> {
    const exchange = this.#exchange;
    for (let error = first; ; ) {
      setProperty(exchange, "CamelExceptionCaught", error);
      setProperty(exchange, "CamelFailureRouteId", exchange.routeId);
      this.#clause = closestClause(this.#errors.clauses, error, exchange) ?? this.#clause;
      const attempt = this.#count();
      this.#log.attempt(this.#policy, error, attempt);
      await this.#occurred();
      if (!this.#retries(attempt)) return this.#giveUp(error, attempt);
      this.#errors.retried(this.#stepIndex);
      await this.#wait(error, attempt);
      this.#prepareAgain();
      try {
        if (!exchange.stopped) await this.#hook("redelivery")?.(exchange);
        if (exchange.stopped) return;
        await this.#step(exchange);
        return;
      } catch (again) {
        if (isDone(exchange)) throw again;
        error = again;
      }
    }
  }

  /** Sets the headers from which this step and later ones read the number of the attempt. */
  #count(): number {
    const { headers } = this.#exchange.message;
    const counter = headers.get("CamelRedeliveryCounter");
    const attempt = (typeof counter === "number" ? counter : 0) + 1;
    headers.receive("CamelRedeliveryCounter", attempt);
    headers.receive("CamelRedelivered", true);
    const { maximumRedeliveries } = this.#policy;
    if (maximumRedeliveries > 0) headers.receive("CamelRedeliveryMaxCounter", maximumRedeliveries);
    return attempt;
  }

  #retries(attempt: number): boolean {
    if (this.#exchange.rollback) return false;
    const retryWhile = this.#clause?.retryWhile;
    if (retryWhile !== undefined) return retryWhile(this.#exchange);
    const { maximumRedeliveries } = this.#policy;
    return maximumRedeliveries < 0 || attempt <= maximumRedeliveries;
  }

  async #wait(error: unknown, attempt: number): Promise<void> {
    const { message, run } = this.#exchange;
    // In Camel a message may set its own delay.
    const own = convertTo(message.headers.get("CamelRedeliveryDelay"), "java.lang.Long");
    this.#delay =
      typeof own === "number" || typeof own === "bigint"
        ? Number(own)
        : redeliveryDelay(this.#policy, attempt, this.#delay);
    if (run.traced) {
      const details = failureDetails(run, error, { attempt: shown(attempt), delayMs: shown(this.#delay) });
      run.trace("retry.scheduled", this.#stepIndex, 0, details);
    }
    if (this.#delay > 0) await wait(this.#delay, run.signal);
  }

  #prepareAgain(): void {
    const { message } = this.#exchange;
    const kept = redeliveryHeaders.map((name) => [name, message.headers.get(name)] as const);
    if (this.#before !== undefined) message.restore({ ...this.#before, headers: this.#before.headers.copy() });
    for (const [name, value] of kept) if (value !== undefined) message.headers.receive(name, value);
    this.#exchange.exception = undefined;
  }

  #hook(name: keyof ErrorHooks): Processor | undefined {
    return this.#clause?.hooks[name] ?? this.#errors.hooks[name];
  }

  async #occurred(): Promise<void> {
    try {
      await this.#hook("occurred")?.(this.#exchange);
    } catch (error) {
      if (this.#exchange.run.cancelled) throw error;
      this.#log.hook(error);
    }
  }

  async #giveUp(error: unknown, attempt: number): Promise<void> {
    const exchange = this.#exchange;
    const { deadLetter } = this.#errors;
    const clause = this.#clause;
    const failedStep = exchange.run.stepOf(error, this.#stepIndex);
    const continued = clause?.continued !== undefined && holds(clause.continued(exchange));
    const handled = clause?.handled !== undefined && holds(clause.handled(exchange));
    const processor = clause?.steps ?? deadLetter?.send;
    if (processor !== undefined && exchange.handling.includes(exchange.routeId)) return this.#breakOut(error, attempt);
    const isDeadLetter = deadLetter !== undefined && processor === deadLetter.send;
    const ends = isDeadLetter || handled || continued;
    this.#endCounting(ends);
    setProperty(exchange, "CamelFailureEndpoint", exchange.properties.get("CamelToEndpoint"));
    const runs = processor !== undefined && !(continued && isDeadLetter);
    if (runs) this.#useOriginal(clause);
    const unprepared = await this.#thrownBy(this.#hook("prepare"));
    if (runs && isDeadLetter) this.#errors.count("deadLetters");
    const handling = exchange.handling;
    exchange.handling = [...handling, exchange.routeId];
    const newer = runs ? ((await this.#thrownBy(processor)) ?? unprepared) : undefined;
    exchange.handling = handling;
    // In Camel this failure is lost when nothing is done with the message.
    if (!runs && unprepared !== undefined) this.#log.newException(this.#policy, unprepared.error);
    exchange.exception = undefined;
    exchange.failureHandled = true;
    if (newer !== undefined) this.#log.newException(this.#policy, newer.error);
    if (!ends || (continued ? this.#policy.logContinued : this.#policy.logHandled)) {
      const handled = continued ? ". Handled and continue routing." : "";
      const how = isDeadLetter ? `. Handled by DeadLetterChannel: [${deadLetter?.uri}]` : handled;
      this.#log.exhausted(this.#policy, error, attempt, how);
    }
    const handlesNewer = isDeadLetter && deadLetter?.handlesNewExceptions === true && !isCircular(newer?.error);
    if (newer !== undefined && !handlesNewer) {
      setProperty(exchange, "CamelExceptionCaught", newer.error);
      throw newer.error;
    }
    if (ends) {
      const by = isDeadLetter ? `deadLetterChannel at line ${deadLetter.line}` : `onException at line ${clause?.line}`;
      this.#handled(failedStep, error, by);
      if (newer !== undefined) this.#handled(this.#stepIndex, newer.error, by);
    }
    if (continued) {
      exchange.failureHandled = false;
      exchange.rollback = false;
      return;
    }
    if (!ends) throw error;
    if (isDeadLetter) exchange.deadLetter = { error, step: failedStep };
    exchange.handled = true;
    exchange.stopped = true;
  }

  /**
   * The route has failed while a failure of its own was handled: another round would fail in the same way. The run fails, whatever the handlers
   * around it do with new exceptions (Camel: "Circular error-handler detected").
   */
  #breakOut(error: unknown, attempt: number): never {
    const { routeId } = this.#exchange;
    if (typeof error === "object" && error !== null) circular.add(error);
    this.#endCounting(false);
    this.#exchange.failureHandled = true;
    this.#log.exhausted(this.#policy, error, attempt, `. Circular error handler detected in route '${routeId}'`);
    throw error;
  }

  /** Resolves with the failure of the processor. Rejects when the run must end. */
  async #thrownBy(processor: Processor | undefined): Promise<{ readonly error: unknown } | undefined> {
    try {
      await processor?.(this.#exchange);
      return undefined;
    } catch (error) {
      if (this.#exchange.run.cancelled) throw error;
      return { error };
    }
  }

  #handled(step: number, error: unknown, by: string): void {
    this.#errors.count("handled");
    announceHandled(this.#exchange.run, step, error, by);
  }

  /** Removes the redelivery headers after a failure that was handled; else sets the number of redeliveries. */
  #endCounting(dealtWith: boolean): void {
    const { headers } = this.#exchange.message;
    if (dealtWith) {
      for (const name of redeliveryHeaders) headers.delete(name);
      this.#exchange.rollback = false;
      return;
    }
    const counter = headers.get("CamelRedeliveryCounter");
    const redeliveries = typeof counter === "number" ? counter - 1 : 0;
    headers.receive("CamelRedeliveryCounter", redeliveries);
    headers.receive("CamelRedelivered", redeliveries > 0);
  }

  #useOriginal(clause: ErrorClause | undefined): void {
    const { message, original } = this.#exchange;
    const wanted = clause ?? this.#errors;
    if (original === undefined) return;
    if (wanted.useOriginalMessage) message.restore(original.snapshot());
    else if (wanted.useOriginalBody) message.body = original.body;
  }
}

/** Whether the failure, or one that has caused it, is that of a handler that led to itself. */
function isCircular(failure: unknown): boolean {
  for (let one = failure, left = mostCauses; typeof one === "object" && one !== null && left > 0; left -= 1) {
    if (circular.has(one)) return true;
    one = (one as { readonly cause?: unknown }).cause;
  }
  return false;
}

/** In Camel handled and continued are predicates over expressions: a value that is not a Boolean is converted. */
function holds(value: unknown): boolean {
  return truthy(value);
}

/** Bounds a number from the redelivery headers, which messages may set to any value. */
function shown(number: number): number {
  return Math.min(Math.max(0, Math.trunc(number) || 0), mostShown);
}
