/** Consumes queues (Camel: SpringRabbitMQConsumer). */
import { attendedSource } from "../../engine/attended/attended-source.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import type { ConsumerPlan } from "./consumer-plan.ts";
import { RabbitInlet } from "./inlet.ts";

/** Whether a consumer replies to messages that ask for it. Throws for a pattern that no message gets from its endpoint. */
export function repliesTo({ exchangePattern }: { readonly exchangePattern?: "InOnly" | "InOut" | undefined }): boolean {
  if (exchangePattern === "InOut")
    throw new Error(
      "a message that names where its reply goes is InOut, and others are InOnly: leave exchangePattern out",
    );
  return exchangePattern !== "InOnly";
}

export function rabbitSource(plan: ConsumerPlan, context: SourceContext): Source {
  const sizes = { areLarge: false };
  return attendedSource(
    {
      ...{ scheme: plan.scheme, word: "message", connection: plan.connection, bridgesErrors: plan.bridgesErrors },
      credits: plan.queues.length * plan.consumers * plan.window,
      window: plan.window,
      atMostOnce: plan.acknowledgesFirst,
      marksRedelivered: true,
      aloneAfterLoss: true,
      attempts: { most: plan.attempts, pauseMs: plan.retryMs },
      open: (client, opening) => RabbitInlet.open(client, plan, context, { ...opening, sizes }),
    },
    context,
  );
}
