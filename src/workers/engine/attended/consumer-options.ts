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

export const defaultWindow = 32;
const mostWindow = 1000;

/** `of`: whose messages; `alone`: which other options wait for the end of each run, or ""; `more`: what else follows. */
export function windowOption({ integer }: Slots, of: string, alone: string, more: string) {
  return integer(
    `How many messages of ${of} may be under way at once. Their runs begin one after another, each when the last step of the one before has handed its message to the client of its server. 1 waits for the end of each run${alone}. ${more}`,
  )
    .refine((count) => count >= 1 && count <= mostWindow, `window is from 1 to ${mostWindow}`)
    .default(defaultWindow);
}

/** What they mean for a source. */
export function bridging(options: { readonly bridgeErrorHandler: boolean }): { readonly bridgesErrors: boolean } {
  return { bridgesErrors: options.bridgeErrorHandler };
}
