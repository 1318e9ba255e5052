/** The trace that messages which are sent belong to. None is begun here: a message goes on with the one that its run began with. */
import { traceparentIn } from "../../shared/trace-context.ts";
import type { Exchange } from "./exchange.ts";

/** The name of the header, of the property, of the user property. */
export const traceparentName = "traceparent";

/** Returns what the message is sent with: its own header, else that of the message that began the run; undefined: none. */
export function traceparentOf({ message: { headers }, run }: Exchange): string | undefined {
  return traceparentIn(headers.get(traceparentName)) ?? run.traceparent;
}
