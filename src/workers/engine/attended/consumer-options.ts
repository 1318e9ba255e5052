/** The options that all consumers have whose life the runtime attends to (Camel: DefaultConsumer). */
import type { Slots } from "../slots.ts";

export const consumerNames: readonly string[] = ["bridgeErrorHandler"];
/** Why other ways of Camel to handle failures are not there. */
export const failuresAreLogged = "failures are logged: leave it out, or write bridgeErrorHandler";

/** `more`: about the option in this component. */
export function consumerOptions({ flag, refused }: Slots, more = "") {
  return {
    bridgeErrorHandler: flag(`Runs the route's error handler when the consumer cannot get messages.${more}`).default(
      false,
    ),
    exceptionHandler: refused(failuresAreLogged),
  };
}

/** What they mean for a source. */
export function bridging(options: { readonly bridgeErrorHandler: boolean }): { readonly bridgesErrors: boolean } {
  return { bridgesErrors: options.bridgeErrorHandler };
}
