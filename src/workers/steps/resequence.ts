/** The `resequence` step (Camel: Resequencer, StreamResequencer). */
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Expression, Processor } from "../engine/processor.ts";
import { WaitingLine } from "../engine/semaphore.ts";
import { defineStep } from "../engine/step.ts";
import { Batch, wholeNumber } from "./resequence/batch.ts";
import { Delivery } from "./resequence/delivery.ts";
import { Stream } from "./resequence/stream.ts";

const lenient =
  "A message without a place in the order is left out and goes on behind the step; without this it fails.";

export const resequence = defineStep({
  name: "resequence",
  docs: "Puts messages in order, in batches or as a stream, and runs its steps for each, one after another; each message itself goes on behind the step at once. What is kept when the route or the flow stops is handed on in order then.",
  stateful: true,
  options: (z, { expression, clause, integer, duration, flag, steps, idle, refused }) =>
    z.object({
      expression: expression(
        "Gives the place in the order: numbers or texts in a batch, whole numbers without gaps in a stream.",
      ),
      batchConfig: clause(
        {
          batchSize: integer("A batch with this many messages is complete; 0: no number completes it.").default(100),
          batchTimeout: duration("A batch is complete when no message has come for this long.")
            .refine((ms) => ms > 0, "batchTimeout is at least 1 ms")
            .default(1000),
          allowDuplicates: flag(
            "Keeps all messages of the same place, in the order of their arrival; without this the first alone, and the log has a warning.",
          ).default(false),
          reverse: flag("Begins with the last of the order.").default(false),
          ignoreInvalidExchanges: flag(lenient).default(false),
        },
        "Sorts batch by batch; this is done when nothing is said.",
      ).optional(),
      streamConfig: clause(
        {
          capacity: integer("How many messages are kept; further ones wait in front of the step.")
            .refine((count) => count > 0, "capacity is at least 1")
            .default(1000),
          timeout: duration("How long a message waits for the one before it, the first message too.")
            .refine((ms) => ms > 0, "timeout is at least 1 ms")
            .default(1000),
          rejectOld: flag(
            "A message fails that comes after a later one was handed on; without this it is handed on late.",
          ).default(false),
          ignoreInvalidExchanges: flag(lenient).default(false),
          deliveryAttemptInterval: idle(duration, "a message is handed on as soon as its time has come"),
          comparator: refused("there are no comparator beans: let the expression give whole numbers"),
        },
        "Orders a stream by its whole numbers: each message waits for the one before it, within `timeout`.",
      ).optional(),
      steps: steps("What is done with each message, in order.").refine(
        (list) => list.length > 0,
        "a resequence needs steps: in Camel the steps behind it are its own when it has none, so write them inside",
      ),
    }),
  example: `resequence:
  expression:
    simple:
      expression: "\${body}"
  batchConfig: { batchSize: 50, batchTimeout: 2s }
  steps:
    - log:
        message: "in order: \${body}"`,
  compile({ expression, batchConfig, streamConfig, steps }, context) {
    if (batchConfig !== undefined && streamConfig !== undefined) {
      throw new Error("a resequence has one of batchConfig and streamConfig: leave the other out");
    }
    const keyOf = context.expression(expression);
    const line = new WaitingLine();
    const delivery = new Delivery(context, context.stepId, context.pipeline(steps), () => line.next());
    const flushedAtStops = (order: { flush(): void }): void => {
      context.atRouteStop(() => order.flush());
      context.atEnd(() => {
        order.flush();
        return delivery.idle();
      });
    };
    if (streamConfig !== undefined) {
      const stream = new Stream(streamConfig, delivery);
      flushedAtStops(stream);
      const { ignoreInvalidExchanges: ignores, capacity } = streamConfig;
      const take = (exchange: Exchange): void => orderly(stream, keyOf, exchange, delivery, ignores);
      return waitingFor(take, delivery, capacity, line);
    }
    const rules = batchConfig ?? { batchSize: 100, batchTimeout: 1000, allowDuplicates: false, reverse: false };
    const batch = new Batch(rules, delivery);
    flushedAtStops(batch);
    return (exchange) => {
      const key = validKey(keyOf, exchange);
      if (key !== undefined) batch.add(key, delivery.keep(exchange));
      else if (batchConfig?.ignoreInvalidExchanges !== true) throw invalid(exchange, "used by the BatchProcessor");
    };
  },
});

/** Camel ignores an expression that fails here: such a message has no place. */
function validKey(keyOf: Expression, exchange: Exchange): unknown {
  try {
    return keyOf(exchange) ?? undefined;
  } catch (error) {
    if (exchange.run.cancelled) throw error;
    return undefined;
  }
}

/** Puts the message into the stream. Throws CamelExchangeException unless such messages are ignored. */
function orderly(stream: Stream, keyOf: Expression, exchange: Exchange, delivery: Delivery, ignores: boolean): void {
  const number = wholeNumber(validKey(keyOf, exchange));
  try {
    if (number === undefined) throw new Error("its place in the order is no whole number");
    stream.requireNew(number);
  } catch (error) {
    if (ignores) return;
    throw new FlowException(
      "org.apache.camel.CamelExchangeException",
      `Error processing Exchange in StreamResequencer. Exchange[${exchange.id}]. Caused by: [${String(error)}]`,
      { cause: error },
    );
  }
  stream.add(number, delivery.keep(exchange));
}

function invalid(exchange: Exchange, what: string): FlowException {
  const message = `Exchange is not valid to be ${what}. Exchange[${exchange.id}]`;
  return new FlowException("org.apache.camel.CamelExchangeException", message);
}

/** Messages wait in the order of their arrival while as many as `capacity` are kept. */
function waitingFor(
  take: (exchange: Exchange) => void,
  delivery: Delivery,
  capacity: number,
  line: WaitingLine,
): Processor {
  return (exchange) => {
    if (line.length === 0 && delivery.size < capacity) return take(exchange);
    return line.wait(exchange.run.signal).then(() => {
      take(exchange);
      if (delivery.size < capacity) line.next();
    });
  };
}
