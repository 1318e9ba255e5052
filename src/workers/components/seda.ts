/** The `seda` component (Camel: SedaEndpoint 4.22) and `stub`, its second name. The queues are in the flow's thread. */
import { lastly } from "../engine/branch.ts";
import { defineComponent, type ProducerContext } from "../engine/component.ts";
import type { Poller, PollerContext } from "../engine/poller.ts";
import type { Processor } from "../engine/processor.ts";
import type { Slots, Z } from "../engine/slots.ts";
import type { Source, SourceContext } from "../engine/source.ts";
import type { QueueConsumer, SedaQueue } from "./seda/queue.ts";
import { type QueueScope, SedaQueues, sedaSender } from "./seda/send.ts";

/** Camel: SedaConstants.MAX_CONCURRENT_CONSUMERS. */
const mostConsumers = 500;
const noBeans = "there are no beans: a queue keeps messages in their order, up to 'size'";
const noErrors = "a queue has no errors of its own, those of its route are the route's: leave it out";

/** As in Camel, the same URI may be used at both ends, and each end reads its own options. */
const options = (z: Z, { text, integer, flag, duration, oneOf, idle, refused }: Slots) =>
  z.object({
    name: text("The queue's name, which senders and the consuming route have in common."),
    size: integer(
      "How many messages may wait in the queue; 1000 by default. Write the same wherever the queue is named.",
    ).optional(),
    concurrentConsumers: integer("How many messages are in the route at the same time.")
      .refine((count) => count >= 1, "concurrentConsumers is at least 1")
      .default(1),
    limitConcurrentConsumers: flag("Refuses more than 500 consumers.").default(true),
    multipleConsumers: flag(
      "Several routes may consume the queue, and each gets a copy. Write it at all of them.",
    ).default(false),
    purgeWhenStopping: flag(
      "Drops the messages that wait when the consuming route stops; without this they wait for its next start.",
    ).default(false),
    pollTimeout: idle(integer, "a consumer hears of its end at once"),
    waitForTaskToComplete: oneOf(
      ["Never", "IfReplyExpected", "Always"],
      "Whether the sender waits for the end of the consuming route: never, always, or when its message expects a reply.",
    ).default("IfReplyExpected"),
    timeout: duration("How long the sender waits for the reply before the message fails; 0: without an end.").default(
      30_000,
    ),
    offerTimeout: duration("How long a sender waits for room with `blockWhenFull`; 0: without an end.").default(0),
    blockWhenFull: flag("A sender waits while the queue is full; without this its message fails.").default(false),
    discardWhenFull: flag("A message to a full queue is dropped, and its sender goes on.").default(false),
    failIfNoConsumers: flag("A message fails when no route consumes the queue; without this it waits there.").default(
      false,
    ),
    discardIfNoConsumers: flag("A message is dropped when no route consumes the queue.").default(false),
    browseLimit: refused("messages in a queue cannot be looked at: leave it out", "100"),
    queue: refused(noBeans),
    queueFactory: refused(noBeans),
    exchangePattern: idle(
      (words) => oneOf(["InOnly", "InOut"], words),
      "a message keeps the pattern that it was sent with, as in Camel",
    ),
    bridgeErrorHandler: refused(noErrors, "false"),
    exceptionHandler: refused(noErrors),
    lazyStartProducer: refused("producers are made when the flow is deployed: leave it out", "false"),
  });

type Options = ReturnType<ReturnType<typeof options>["parse"]>;

function queuesOf(scope: QueueScope): SedaQueues {
  return scope.shared("queues of seda and stub", () => new SedaQueues(scope));
}

function ends(scheme: "seda" | "stub") {
  return {
    stateful: true,
    once: false,
    // Both ends read multipleConsumers, which Camel requires to be equal.
    ends: {
      consumer: ["concurrentConsumers", "limitConcurrentConsumers", "purgeWhenStopping"],
      producer: [
        ...["waitForTaskToComplete", "timeout", "offerTimeout", "blockWhenFull", "discardWhenFull"],
        ...["failIfNoConsumers", "discardIfNoConsumers"],
      ],
      unpolled: ["multipleConsumers"],
    },
    // Run records use one scheme for both names.
    consumer: () => ({ kind: "source", scheme: "seda" }) as const,
    source(endpoint: Options, context: SourceContext): Source {
      const { name, size, concurrentConsumers, limitConcurrentConsumers, multipleConsumers, purgeWhenStopping } =
        endpoint;
      if (limitConcurrentConsumers && concurrentConsumers > mostConsumers) {
        throw new Error(
          `concurrentConsumers=${concurrentConsumers} is above ${mostConsumers}: write limitConcurrentConsumers=false as well`,
        );
      }
      const queues = queuesOf(context);
      queues.resize(`${scheme}:${name}`, size);
      const queue = queues.get(`${scheme}:${name}`);
      const { routeId, report } = context;
      const consumer: QueueConsumer = {
        ...{ routeId, concurrent: concurrentConsumers, purgeWhenStopping },
        backlog: (messages) => report.backlog(messages),
        offer: undefined,
      };
      queue.join(consumer, multipleConsumers);
      report.backlog(0);
      return {
        // The queue limits its consumers itself, and each message has its place already.
        credits: Number.POSITIVE_INFINITY,
        start: (offer) => queue.start(consumer, offer),
        pause: () => queue.pause(consumer, context.log),
        // Messages in the queue belong to the flow's drain.
        stop() {},
      };
    },
    ...({ effect: "writes", pollEffect: "writes" } as const),
    poller({ name, size }: Options, context: PollerContext): Poller {
      const queues = queuesOf(context);
      queues.resize(`${scheme}:${name}`, size);
      queues.get(`${scheme}:${name}`).willBePolled();
      return { poll: (waitMs, { run }) => queues.get(`${scheme}:${name}`).take(waitMs, run.signal) };
    },
    producer({ name, size, exchangePattern, ...sending }: Options, context: ProducerContext) {
      if (exchangePattern !== undefined) throw new Error("the pattern stands beside the uri: 'pattern: InOut'");
      const queues = queuesOf(context);
      queues.resize(`${scheme}:${name}`, size);
      const queue = (): SedaQueue => queues.get(`${scheme}:${name}`);
      const send = sedaSender(queue, sending, context);
      return scheme === "stub" ? unansweredWithout(queue, send) : send;
    },
  };
}

/** Nobody answers where no route consumes: an InOut message is sent as InOnly then (Camel: StubProducer). */
function unansweredWithout(queue: () => SedaQueue, send: Processor): Processor {
  return (exchange) => {
    const { pattern } = exchange;
    if (pattern === "InOnly" || queue().consumed) return send(exchange);
    exchange.pattern = "InOnly";
    return lastly(
      () => send(exchange),
      () => {
        exchange.pattern = pattern;
      },
    );
  };
}

export const seda = defineComponent({
  scheme: "seda",
  docs: "Puts a copy of the message into a queue in memory, whose route consumes it in a run of its own; an InOut message waits for the reply.",
  path: "name",
  options,
  example: `from:
  uri: seda:orders?concurrentConsumers=4
  steps:
    - log:
        message: "\${body}"`,
  ...ends("seda"),
});

export const stub = defineComponent({
  scheme: "stub",
  docs: "Stands for any endpoint whose URI is written behind it, as a `seda` queue of that name; options that it does not know mean nothing.",
  path: "name",
  options,
  lenient: true,
  example: "to: { uri: stub:jms:queue:orders?username=bulkhead }",
  ...ends("stub"),
});
