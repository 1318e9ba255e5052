/** The `doTry` step (Camel: TryProcessor, CatchProcessor, FinallyProcessor). */
import { exceptionType } from "../engine/exception.ts";
import { firstClause } from "../engine/exception-match.ts";
import type { Exchange } from "../engine/exchange.ts";
import { type Handler, handledBy } from "../engine/handled.ts";
import type { Predicate, Processor } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";
import { setProperty } from "../engine/variables.ts";

interface Catch {
  readonly exceptions: readonly string[];
  readonly onWhen: Predicate | undefined;
  readonly steps: Processor;
}

export const doTry = defineStep({
  name: "doTry",
  docs: "Runs its steps without the route's error handler; the first `doCatch` whose class is among the exception and its causes deals with a failure; `doFinally` runs in any case but a `stop`.",
  ownErrors: true,
  options: (z, { clause, text, predicate, steps }) =>
    z.object({
      steps: steps("What is tried.").default([]),
      doCatch: z
        .array(
          clause(
            {
              exception: z
                .array(
                  text(
                    "Exception classes with their packages, such as java.io.IOException. A class takes its subclasses, too; java.lang.Exception takes nearly all.",
                  ),
                )
                .min(1),
              onWhen: predicate("Takes only failures for which this holds.").optional(),
              steps: steps("What is done about the failure; the message goes on after doTry then.").default([]),
            },
            "What is done about failures, by their classes; the first entry that fits is taken.",
          ),
        )
        .default([]),
      doFinally: clause(
        { steps: steps("Steps that run last.").default([]) },
        "What is done at the end, whether it failed or not.",
      ).optional(),
    }),
  example: `doTry:
  steps:
    - throwException: { exceptionType: java.io.IOException, message: "no connection" }
  doCatch:
    - exception: [java.io.IOException]
      steps: [{ setBody: { expression: { simple: { expression: "failed: \${exception.message}" } } } }]
  doFinally:
    steps: [{ log: { message: "over" } }]`,
  compile({ steps, doCatch, doFinally }, context) {
    const unhandled = { errorHandler: "none" } as const;
    const body = context.pipeline(steps, unhandled);
    const catches = doCatch.map(
      ({ exception, onWhen, steps: inner }): Catch => ({
        exceptions: exception,
        onWhen: onWhen === undefined ? undefined : context.predicate(onWhen),
        steps: context.pipeline(inner, unhandled),
      }),
    );
    const last = doFinally === undefined ? undefined : context.pipeline(doFinally.steps, unhandled);
    const guarded = caught(body, catches, { by: `doTry at line ${context.line}`, count: context.count });
    return last === undefined ? guarded : lastly(guarded, last);
  },
});

function caught(body: Processor, catches: readonly Catch[], handler: Handler): Processor {
  if (catches.length === 0) return body;
  return (exchange) => {
    try {
      return body(exchange)?.catch((error: unknown) => handle(catches, handler, exchange, error));
    } catch (error) {
      return handle(catches, handler, exchange, error);
    }
  };
}

/**
 * During the clause the exchange has not failed. The property holds the exception that was thrown, not the cause that
 * matched.
 */
function handle(catches: readonly Catch[], handler: Handler, exchange: Exchange, error: unknown): void | Promise<void> {
  if (exchange.run.cancelled) throw error;
  setProperty(exchange, "CamelExceptionCaught", error);
  const clause = firstClause(catches, error, exchange);
  if (clause === undefined) throw error;
  exchange.exception = undefined;
  exchange.failureHandled = false;
  return handledBy(
    isRollback(exchange, error) ? rollingBack(clause.steps, error) : clause.steps,
    handler,
    exchange,
    error,
  );
}

function isRollback(exchange: Exchange, error: unknown): boolean {
  return exchange.rollback && exceptionType(error) === "org.apache.camel.RollbackExchangeException";
}

/**
 * A clause handles a rollback without ending it: the exception is set again after its steps (Camel: CatchProcessor).
 */
function rollingBack(steps: Processor, error: unknown): Processor {
  return (exchange) => {
    const again = (): never => {
      exchange.rollback = true;
      throw error;
    };
    exchange.rollback = false;
    return steps(exchange)?.then(again) ?? again();
  };
}

function lastly(body: Processor, last: Processor): Processor {
  return (exchange) => {
    let pending: void | Promise<void>;
    try {
      pending = body(exchange);
    } catch (error) {
      return afterwards(last, exchange, { error });
    }
    return pending === undefined
      ? afterwards(last, exchange, undefined)
      : pending.then(
          () => afterwards(last, exchange, undefined),
          (error: unknown) => afterwards(last, exchange, { error }),
        );
  };
}

/**
 * Runs the steps before an exception continues. A failure of these steps is lost in favour of that exception (Camel:
 * suppressed).
 */
function afterwards(
  last: Processor,
  exchange: Exchange,
  failure: { readonly error: unknown } | undefined,
): void | Promise<void> {
  const { rollback } = exchange;
  const stopped = exchange.stopped && !exchange.handled && !rollback;
  if (stopped || exchange.run.cancelled) return rethrow(failure);
  if (failure !== undefined) setProperty(exchange, "CamelExceptionCaught", failure.error);
  exchange.stopped = false;
  exchange.rollback = false;
  const again = (): void => {
    if (rollback) exchange.rollback = true;
    if (exchange.handled || exchange.rollback) exchange.stopped = true;
    rethrow(failure);
  };
  const ownFailure = (error: unknown): void => {
    if (failure === undefined || exchange.run.cancelled) throw error;
    again();
  };
  let pending: void | Promise<void>;
  try {
    pending = last(exchange);
  } catch (error) {
    return ownFailure(error);
  }
  return pending === undefined ? again() : pending.then(again, ownFailure);
}

function rethrow(failure: { readonly error: unknown } | undefined): void {
  if (failure !== undefined) throw failure.error;
}
