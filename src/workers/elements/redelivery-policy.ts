/**
 * The options of `redeliveryPolicy` (Camel: RedeliveryPolicyDefinition) and of hooks, for onException and error handlers.
 */
import type { Slots } from "../engine/slots.ts";

const noTraces = "there are no Java stack traces here, and run records hold each step: leave it out";
const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"] as const;

export function redeliveryOptions({ integer, duration, flag, text, oneOf, clause, only, idle, refused }: Slots) {
  return clause(
    {
      maximumRedeliveries: integer(
        "How often a failed step is tried again; 0, the default: never; -1: for ever.",
      ).optional(),
      redeliveryDelay: duration("How long it waits before it tries again; one second by default.").optional(),
      maximumRedeliveryDelay: duration(
        "The longest wait, however the waits grow; one minute by default, 0: without an end.",
      ).optional(),
      useExponentialBackOff: flag("Each wait is a multiple of the one before.").optional(),
      backOffMultiplier: text("How much longer each wait is, such as 1.5; 2 by default.").optional(),
      useCollisionAvoidance: flag(
        "Makes waits longer or shorter by chance, so that many messages do not try at the same moment.",
      ).optional(),
      collisionAvoidanceFactor: text(
        "By what share `useCollisionAvoidance` changes a wait at most, from 0 to 1; 0.15 by default.",
      ).optional(),
      delayPattern: text(
        "Waits by the number of the attempt: `1:1000;5:10000` waits one second, and ten seconds from the fifth on.",
      ).optional(),
      disableRedelivery: flag(
        "Never tries again, whatever `maximumRedeliveries` says here or in the error handler.",
      ).optional(),
      asyncDelayedRedelivery: idle(flag, "waiting never holds a thread here"),
      allowRedeliveryWhileStopping: only(true, "what has begun is finished within the drain: leave it out"),
      logRetryAttempted: flag("Logs each attempt that fails; true by default.").optional(),
      retryAttemptedLogLevel: oneOf(
        levels,
        "The level at which failed attempts are logged; DEBUG by default.",
      ).optional(),
      retryAttemptedLogInterval: integer("Logs every so many-th failed attempt; 1 by default.").optional(),
      logExhausted: flag("Logs when a message is given up; true by default.").optional(),
      retriesExhaustedLogLevel: oneOf(
        levels,
        "The level at which a message is logged that is given up; ERROR by default.",
      ).optional(),
      logHandled: flag(
        "Logs failures, too, that a clause with `handled` or a dead letter channel deals with; false by default.",
      ).optional(),
      logContinued: flag("Logs failures, too, after which the route goes on; false by default.").optional(),
      logNewException: flag("Logs a failure of the steps that deal with a failure; true by default.").optional(),
      logStackTrace: only(false, noTraces),
      logRetryStackTrace: only(false, noTraces),
      logExhaustedMessageHistory: only(false, noTraces),
      logExhaustedMessageBody: only(false, noTraces),
      exchangeFormatterRef: refused(noTraces),
    },
    "How often, when and with what waits a failed step is tried again, and what is logged of it.",
  );
}

/** What is called while a failure is dealt with, for onException and error handlers. */
export function hookOptions({ processor }: Slots) {
  return {
    onExceptionOccurredRef: processor(
      "Called after each failed attempt: an address such as `direct:failed`, or a bean. A failure of its own is logged, and changes nothing.",
    ).optional(),
    onRedeliveryRef: processor(
      "Called before the step is tried again, and may change the message: an address such as `direct:again`, or a bean. A `stop` in it ends the message.",
    ).optional(),
    onPrepareFailureRef: processor(
      "Called before the message is given up, and may change it: an address such as `direct:prepare`, or a bean.",
    ).optional(),
  };
}
