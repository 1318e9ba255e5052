/** `errorHandler` (Camel: ErrorHandlerDefinition). */
import { defineElement } from "../engine/element.ts";
import { hookOptions, redeliveryOptions } from "./redelivery-policy.ts";

const noBeans = "there are no processor beans: leave it out";
const noTransactions = "there are no transactions: use deadLetterChannel or defaultErrorHandler";
const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"] as const;

export const errorHandler = defineElement({
  name: "errorHandler",
  docs: "What the routes of the document do about exceptions that no onException handles: redelivery, then nothing or a dead letter channel.",
  options: (z, slots) => {
    const { uri, flag, oneOf, clause, refused } = slots;
    const { onRedeliveryRef, onExceptionOccurredRef, onPrepareFailureRef } = hookOptions(slots);
    const common = {
      redeliveryPolicy: redeliveryOptions(slots).optional(),
      useOriginalMessage: flag(
        "Gives up with the message as it came into the route, in place of the one that failed.",
      ).default(false),
      useOriginalBody: flag("Gives up with the body as it came into the route, and the headers as they are.").default(
        false,
      ),
      level: oneOf(levels, "The level at which a failure that is given up is logged; ERROR by default.").optional(),
      executorServiceRef: refused("there are no thread pools here: leave it out"),
      executorService: refused("there are no thread pools here: leave it out"),
      loggerRef: refused(noBeans),
      logName: refused("failures are logged under the route's id: leave it out"),
      onExceptionOccurredRef,
      onPrepareFailureRef,
      onRedeliveryRef,
      redeliveryPolicyRef: refused("write the redeliveryPolicy in place"),
      retryWhileRef: refused("write retryWhile in an onException"),
    };
    return z.object({
      deadLetterChannel: clause(
        {
          deadLetterUri: uri("The address that gets messages that are given up, such as `direct:dead`."),
          deadLetterHandleNewException: flag(
            "A failure of the dead letter's own route is dealt with, too; with `false` it is the message's.",
          ).default(true),
          ...common,
        },
        "Sends a message that is given up to an address; its caller sees no failure.",
      ).optional(),
      defaultErrorHandler: clause(common, "Tries again as `redeliveryPolicy` says; then the message fails.").optional(),
      noErrorHandler: clause({}, "Does nothing: a failure goes to the caller at once. Write `{}`.").optional(),
      refErrorHandler: refused("error handlers are no beans here: write the error handler in place"),
      jtaTransactionErrorHandler: refused(noTransactions),
      springTransactionErrorHandler: refused(noTransactions),
    });
  },
  example: `- errorHandler:
    deadLetterChannel:
      deadLetterUri: mock:dead
      redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 10 }
- route:
    from:
      uri: direct:start
      steps:
        - throwException: { exceptionType: java.io.IOException, message: "no connection" }`,
});
