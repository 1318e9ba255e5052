/** Options that split, multicast and recipientList share. */
import type { ProcessorModel } from "../../shared/flow-model.ts";
import type { AggregationStrategy } from "./aggregation-strategy.ts";
import type { FanOut } from "./fan-out.ts";
import { type Processor, pipeline } from "./processor.ts";
import type { Slots } from "./slots.ts";
import type { CompileContext } from "./step.ts";

const noMethods = "strategies are classes of the runtime, without methods to choose from: leave it out";

interface Words {
  /** Describes what happens without a strategy. */
  readonly otherwise: string;
  readonly streaming: string;
}

/** For steps whose branches all exist at the beginning. */
export const branchWords: Words = {
  otherwise: "the last result goes on",
  streaming:
    "With `parallelProcessing` results count in the order of their ends; without this in that of the branches.",
};

export function aggregationOptions({ text, flag, duration, processor, only, idle, refused }: Slots, words: Words) {
  return {
    aggregationStrategy: text(
      `How the branches' results become one: a bean's name, or \`#class:\` with a class such as org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy. Without it ${words.otherwise}.`,
    ).optional(),
    aggregationStrategyMethodName: refused(noMethods),
    aggregationStrategyMethodAllowNull: only(false, noMethods),
    parallelProcessing: flag(
      "Up to ten branches wait at the same time, for answers of servers for instance; without this one after another.",
    ).default(false),
    streaming: flag(words.streaming).default(false),
    stopOnException: flag(
      "The first failure ends the work, and the message fails with it; without this the other branches run.",
    ).default(false),
    timeout: duration(
      "How long the branches are waited for with `parallelProcessing`; 0: without an end of its own.",
    ).default(0),
    synchronous: idle(flag, "what follows runs in the thread of the flow in any case"),
    parallelAggregate: only(false, "results are aggregated one after another: leave it out"),
    shareUnitOfWork: flag("A failure in a branch is the whole message's, even when the branch has handled it.").default(
      false,
    ),
    onPrepare: processor(
      "Called with each branch's copy of the message before the branch begins: an address such as `direct:prepare`, or a bean.",
    ).optional(),
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

/** Returns the processor of a branch with what prepares its message. */
export function preparing(
  { onPrepare }: { readonly onPrepare?: ProcessorModel | undefined },
  context: Pick<CompileContext, "processor">,
): (process: Processor) => Processor {
  if (onPrepare === undefined) return (process) => process;
  const prepare = context.processor(onPrepare);
  return (process) => pipeline([prepare, process]);
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
