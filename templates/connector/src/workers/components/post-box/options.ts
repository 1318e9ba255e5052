/** The options of both ends of an endpoint. */
import { consumerOptions } from "../../../../../../src/workers/engine/attended/consumer-options.ts";
import type { Slots, Z } from "../../../../../../src/workers/engine/slots.ts";

export function queueOptions(z: Z, slots: Slots) {
  const { text, integer } = slots;
  return z.object({
    queue: text("The queue that messages are sent to, or taken from."),
    connection: text(
      "The named connection to the server, such as `#shop`. Without it the default connection of the flow's group.",
    ).optional(),
    concurrentConsumers: integer("How many messages are in the route at the same time; with 1 they keep their order.")
      .refine((count) => count >= 1 && count <= 100, "concurrentConsumers is from 1 to 100")
      .default(1),
    ...consumerOptions(slots),
  });
}

export type QueueOptions = ReturnType<ReturnType<typeof queueOptions>["parse"]>;
