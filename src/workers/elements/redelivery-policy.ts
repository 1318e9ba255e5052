/** The options of `redeliveryPolicy` (Camel: RedeliveryPolicyDefinition), for onException and error handlers. */
import type { Slots } from "../engine/slots.ts";

const noTraces = "there are no Java stack traces here, and run records hold each step: leave it out";
const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"] as const;

export function redeliveryOptions({ integer, duration, flag, text, oneOf, clause, only, idle, refused }: Slots) {
  return clause({
    maximumRedeliveries: integer().optional(),
    redeliveryDelay: duration().optional(),
    maximumRedeliveryDelay: duration().optional(),
    useExponentialBackOff: flag().optional(),
    backOffMultiplier: text().optional(),
    useCollisionAvoidance: flag().optional(),
    collisionAvoidanceFactor: text().optional(),
    delayPattern: text().optional(),
    disableRedelivery: flag().optional(),
    asyncDelayedRedelivery: idle(flag, "waiting never holds a thread here"),
    allowRedeliveryWhileStopping: only(true, "what has begun is finished within the drain: leave it out"),
    logRetryAttempted: flag().optional(),
    retryAttemptedLogLevel: oneOf(levels).optional(),
    retryAttemptedLogInterval: integer().optional(),
    logExhausted: flag().optional(),
    retriesExhaustedLogLevel: oneOf(levels).optional(),
    logHandled: flag().optional(),
    logContinued: flag().optional(),
    logNewException: flag().optional(),
    logStackTrace: only(false, noTraces),
    logRetryStackTrace: only(false, noTraces),
    logExhaustedMessageHistory: only(false, noTraces),
    logExhaustedMessageBody: only(false, noTraces),
    exchangeFormatterRef: refused(noTraces),
  });
}
