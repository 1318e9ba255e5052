/** Sends each message to a queue, and waits until the server has it. */
import { bodyBytes } from "../../../../../../src/workers/engine/body-bytes.ts";
import type { ProducerContext } from "../../../../../../src/workers/engine/component.ts";
import { limitExceeded } from "../../../../../../src/workers/engine/exception.ts";
import type { Processor } from "../../../../../../src/workers/engine/processor.ts";
import { within } from "../../../../../../src/workers/engine/waiting.ts";
import { connectionOf } from "./connection.ts";
import type { QueueOptions } from "./options.ts";

export function queueProducer(options: QueueOptions, context: ProducerContext): Processor {
  const connection = connectionOf(options, context);
  const { outboundTotalMs: ms } = context.limits;
  const late = (): Error =>
    limitExceeded("outboundTotalMs", `a message is sent within ${ms} ms; it is not known whether the server has it`);
  return async ({ message, run }) => {
    const body = bodyBytes(message.body, run.limits.messageBodyBytes);
    await within(ms, run.signal, late, async (signal) => {
      const lease = await connection.share(run, signal);
      try {
        await lease.client.put(options.queue, body, signal);
      } finally {
        // A server that has not answered in time may never do.
        lease.release(signal.aborted);
      }
    });
  };
}
