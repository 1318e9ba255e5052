/** Takes the messages of a queue. The runtime connects, runs each message, and tells this file how it has ended. */
import { Arrivals } from "../../../../../../src/workers/engine/attended/arrivals.ts";
import type { Ended, Inlet, Taken } from "../../../../../../src/workers/engine/attended/attended.ts";
import { attendedSource } from "../../../../../../src/workers/engine/attended/attended-source.ts";
import { bridging } from "../../../../../../src/workers/engine/attended/consumer-options.ts";
import { limitExceeded } from "../../../../../../src/workers/engine/exception.ts";
import type { NewMessage, Source, SourceContext } from "../../../../../../src/workers/engine/source.ts";
import type { QueueClient, Received } from "../../connectors/post-box/client.ts";
import { connectionOf } from "./connection.ts";
import type { QueueOptions } from "./options.ts";

interface QueueTaken extends Taken {
  readonly id: string;
}

export function queueSource(options: QueueOptions, context: SourceContext): Source {
  const { queue, concurrentConsumers } = options;
  return attendedSource(
    {
      ...{ scheme: "post-box", word: "message", connection: connectionOf(options, context) },
      // The server sends messages to this client, and nobody else would take them.
      ownsClient: true,
      // It marks what it has sent before, and sends it first.
      ...{ marksRedelivered: true, aloneAfterLoss: true },
      credits: concurrentConsumers,
      ...bridging(options),
      async open(client) {
        const arrivals = new Arrivals<QueueTaken>();
        await client.take(queue, concurrentConsumers, (message) => arrivals.add(takenOf(message, queue, context)));
        return inletOf(client, queue, arrivals);
      },
    },
    context,
  );
}

function inletOf(client: QueueClient, queue: string, arrivals: Arrivals<QueueTaken>): Inlet<QueueTaken> {
  return {
    take: (most, stop) => arrivals.take(most, stop),
    async settle(ended) {
      await Promise.all(ended.map(({ taken, outcome }) => client.settle(taken.id, answerTo(outcome))));
    },
    // What was not settled comes again when its connection is closed.
    close() {},
    giveBack: () => client.drop("a message was not settled within its time, and was given back"),
    count: () => client.count(queue),
  };
}

/** A run that has failed does not make its message come again. */
function answerTo(outcome: Ended<QueueTaken>["outcome"]): "DONE" | "BACK" {
  return outcome === "lost" ? "BACK" : "DONE";
}

function takenOf(received: Received, queue: string, context: SourceContext): QueueTaken {
  const { id, isAgain } = received;
  return {
    id,
    // One order for all of a queue.
    lane: context,
    message: () => messageOf(received, queue, context),
    key: () => `${queue} ${id}`,
    redelivered: isAgain,
    keeps: true,
  };
}

/** What is too large becomes a message that cannot be read. */
function messageOf({ id, isAgain, body }: Received, queue: string, { limits }: SourceContext): NewMessage {
  const { messageBodyBytes: most } = limits;
  const headers: NewMessage["headers"] = [
    ["CamelPostBoxQueue", queue],
    ["CamelPostBoxMessageId", id],
    ["CamelPostBoxRedelivered", isAgain],
  ];
  if (body.length <= most) return { body, headers };
  const error = limitExceeded("messageBodyBytes", `a message has at most ${most} bytes`);
  return { body: null, headers, unreadable: { error } };
}
