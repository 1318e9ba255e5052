/** Options that split, multicast and recipientList share. */
import type { AggregationStrategy } from "./aggregation-strategy.ts";
import type { FanOut } from "./fan-out.ts";
import type { Slots } from "./slots.ts";

const noMethods = "strategies are classes of the runtime, without methods to choose from: leave it out";

export function aggregationOptions({ text, flag, duration, only, idle, refused }: Slots) {
  return {
    aggregationStrategy: text().optional(),
    aggregationStrategyMethodName: refused(noMethods),
    aggregationStrategyMethodAllowNull: only(false, noMethods),
    parallelProcessing: flag().default(false),
    streaming: flag().default(false),
    stopOnException: flag().default(false),
    timeout: duration().default(0),
    synchronous: idle(flag, "what follows runs in the thread of the flow in any case"),
    parallelAggregate: only(false, "results are aggregated one after another: leave it out"),
    shareUnitOfWork: flag().default(false),
    onPrepare: refused("there are no processor beans: change the message in the steps"),
    executorService: refused("there are no thread pools here: leave it out"),
  };
}

interface Given {
  readonly parallelProcessing: boolean;
  readonly streaming: boolean;
  readonly stopOnException: boolean;
  readonly timeout: number;
  readonly shareUnitOfWork: boolean;
}

/** `by`: the step and its line. Throws for a time-out without parallelProcessing, as Camel does. */
export function fanOutOf(
  { parallelProcessing, streaming, stopOnException, timeout, shareUnitOfWork }: Given,
  strategy: AggregationStrategy,
  by: string,
): FanOut {
  if (timeout > 0 && !parallelProcessing) throw new Error("timeout needs parallelProcessing: true");
  const parallel = parallelProcessing;
  return { strategy, parallel, streaming, stopOnException, timeoutMs: timeout, shareUnitOfWork, by };
}
