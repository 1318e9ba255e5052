/** The options of both ends of an endpoint. */
import type { Slots, Z } from "../../../../../../src/workers/engine/slots.ts";

export function queueOptions(z: Z, { text, integer, flag }: Slots) {
  return z.object({
    queue: text("The queue that messages are sent to, or taken from."),
    connection: text(
      "The named connection to the server, such as `#shop`. Without it the default connection of the flow's group.",
    ).optional(),
    concurrentConsumers: integer("How many messages are in the route at the same time; with 1 they keep their order.")
      .refine((count) => count >= 1 && count <= 100, "concurrentConsumers is from 1 to 100")
      .default(1),
    bridgeErrorHandler: flag("Runs the route's error handler when the server cannot be reached.").default(false),
  });
}

export type QueueOptions = ReturnType<ReturnType<typeof queueOptions>["parse"]>;
