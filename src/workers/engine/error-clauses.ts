/** What handles the failures of a route, compiled: its error handler and its clauses. */
import type { ExceptionClause } from "./exception-match.ts";
import type { Count } from "./flow-scope.ts";
import type { Expression, Predicate, Processor } from "./processor.ts";
import type { RedeliveryPolicy } from "./redelivery.ts";

/** What is called while a failure is dealt with (Camel: onExceptionOccurred, onRedelivery, onPrepareFailure). */
export interface ErrorHooks {
  /** Called after each failed attempt. Its own failure is logged, and changes nothing. */
  readonly occurred: Processor | undefined;
  /** Called before the step is tried again. A `stop` in it ends the routing, without the failure. */
  readonly redelivery: Processor | undefined;
  /** Called before the message is given up. */
  readonly prepare: Processor | undefined;
}

/** An onException, compiled for one route. */
export interface ErrorClause extends ExceptionClause {
  readonly handled: Expression | undefined;
  readonly continued: Expression | undefined;
  readonly retryWhile: Predicate | undefined;
  readonly policy: RedeliveryPolicy;
  readonly useOriginalMessage: boolean;
  readonly useOriginalBody: boolean;
  /** They replace those of the error handler. */
  readonly hooks: ErrorHooks;
  /** undefined: the clause has no steps. */
  readonly steps: Processor | undefined;
  /** The line of the clause in the flow's text. */
  readonly line: number;
}

export interface ErrorHandling {
  readonly count: Count;
  /** Called before the step of this index is tried again. */
  readonly retried: (step: number) => void;
  readonly policy: RedeliveryPolicy;
  readonly clauses: readonly ErrorClause[];
  readonly hooks: ErrorHooks;
  readonly useOriginalMessage: boolean;
  readonly useOriginalBody: boolean;
  /** Present: a dead letter channel. */
  readonly deadLetter:
    | { readonly send: Processor; readonly uri: string; readonly handlesNewExceptions: boolean; readonly line: number }
    | undefined;
}
