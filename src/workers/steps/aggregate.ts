/** The `aggregate` step (Camel: AggregateProcessor). */

import { findStrategy } from "../engine/aggregation-strategy.ts";
import { resumed } from "../engine/branch.ts";
import { asText } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineStep } from "../engine/step.ts";
import { after } from "../engine/waiting.ts";
import { markupOf } from "../engine/xml-value.ts";
import { fingerprintOf } from "./aggregate/fingerprint.ts";
import { GroupRuns } from "./aggregate/group-runs.ts";
import { AggregationGroups, type CompleteGroup } from "./aggregate/groups.ts";
import { groupRepository } from "./aggregate/repository.ts";
import type { CompletedBy } from "./aggregate/rules.ts";
import { StoredGroups } from "./aggregate/stored-groups.ts";

const noLocks = "messages of a group are aggregated one after another: leave it out";
const noPools = "there are no thread pools here: leave it out";
const noMethods = "strategies are classes of the runtime, without methods to choose from: leave it out";

export const aggregate = defineStep({
  name: "aggregate",
  docs: "Joins messages of the same key to one by an aggregationStrategy, and runs its steps for each group that is complete; each message itself goes on after the step.",
  stateful: true,
  options: (z, { expression, predicate, text, integer, duration, flag, steps, only, idle, refused }) =>
    z.object({
      correlationExpression: expression(
        "Gives the key of a message: messages with the same key are joined. `constant: all` joins all of them.",
      ).optional(),
      aggregationStrategy: text(
        "How two messages become one: a bean's name, or `#class:` with a class such as org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy, which makes a list of the bodies.",
      ),
      completionPredicate: predicate("A group is complete when this holds for what has been joined so far.").optional(),
      completionSize: integer("A group is complete with this many messages; 0: no number completes it.").default(0),
      completionSizeExpression: expression(
        "Gives the number that completes the group, for each message anew; it comes before `completionSize`.",
      ).optional(),
      completionTimeout: duration(
        "A group is complete when no message has come to it for this long; 0: it waits on.",
      ).default(0),
      completionTimeoutExpression: expression(
        "Gives `completionTimeout` in milliseconds, for each message anew; it comes before the fixed one.",
      ).optional(),
      completionInterval: duration("All groups are complete each time this long has passed; 0: never.").default(0),
      completionOnNewCorrelationGroup: flag(
        "The first message of another key completes all groups. The last group needs another way to be completed.",
      ).default(false),
      eagerCheckCompletion: flag(
        "Asks `completionPredicate` about the message that comes, in place of what has been joined.",
      ).default(false),
      ignoreInvalidCorrelationKeys: flag(
        "A message without a key is left out of all groups; without this it fails.",
      ).default(false),
      closeCorrelationKeyOnCompletion: integer(
        "Remembers this many keys of complete groups, and refuses their further messages; 0: the most, 10000.",
      ).optional(),
      discardOnAggregationFailure: flag(
        "When two messages cannot be joined, the group is dropped, and the message does not fail.",
      ).default(false),
      discardOnCompletionTimeout: flag("A group whose time is over is dropped in place of being handed on.").default(
        false,
      ),
      forceCompletionOnStop: flag(
        "Groups that are open when the route or the flow stops are completed then. Without this they stay in the state store, and go on with the next start; a `MemoryAggregationRepository` loses them with the flow.",
      ).default(false),
      completeAllOnStop: flag(
        "Groups that are open when the route or the flow stops are completed; those with a `completionTimeout` get their time first, within the drain.",
      ).default(false),
      parallelProcessing: flag(
        "The steps of a complete group run in a run of their own, and the message that completed it goes on at once.",
      ).default(false),
      completionTimeoutCheckerInterval: idle(
        duration,
        "each group has a timer of its own, so there is nothing to check",
      ),
      completionFromBatchConsumer: flag(
        "All groups are complete when as many messages have come as a poll of the `file` consumer has found. A file that does not reach the step is missing: give `completionTimeout`, too.",
      ).default(false),
      aggregationRepository: text(
        "The name of a bean, or `#class:` with a class. Left out, or one of Camel's classes that outlast the process: groups are in the state store, under the bean's name or the step's `id`. `MemoryAggregationRepository` keeps them in the thread's memory.",
      ).optional(),
      aggregateController: refused("there is no controller: use completionPredicate"),
      aggregationStrategyMethodName: refused(noMethods),
      aggregationStrategyMethodAllowNull: only(false, noMethods),
      executorService: refused(noPools),
      timeoutCheckerExecutorService: refused(noPools),
      optimisticLocking: only(false, noLocks),
      optimisticLockRetryPolicy: refused(noLocks),
      optimisticLockingSyncRetry: only(false, noLocks),
      steps: steps("What is done with each complete group.").default([]),
    }),
  example: `aggregate:
  correlationExpression: { header: { expression: orderId } }
  aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
  completionSize: 3
  completionTimeout: 1000
  steps:
    - log:
        message: "together: \${body}"`,
  compile(options, context) {
    const { correlationExpression, completionInterval, parallelProcessing } = options;
    if (correlationExpression === undefined) throw new Error("an aggregate needs a correlationExpression");
    if (!completes(options)) throw new Error(`an aggregate needs at least one of ${completionOptions.join(", ")}`);
    const optional = <M, T>(model: M | undefined, make: (model: M) => T): T | undefined =>
      model === undefined ? undefined : make(model);
    const strategy = findStrategy(options.aggregationStrategy, context.bean);
    if (strategy === undefined) throw new Error("an aggregate needs an aggregationStrategy");
    const keyOf = context.expression(correlationExpression);
    const inner = context.entry(context.pipeline(options.steps));
    const { aggregateGroups, aggregateBytes, splitItems } = context.limits;
    const fingerprint = fingerprintOf(correlationExpression, options.aggregationStrategy, context.bean);
    const repository = groupRepository(options.aggregationRepository, fingerprint, context);
    const runs = new GroupRuns({ context, inner, repository: repository?.name });
    const discards = options.discardOnCompletionTimeout;
    const timedOut = async (group: CompleteGroup): Promise<void> => {
      const runsSteps = stored === undefined ? !discards : await stored.timedOut(group, discards);
      if (runsSteps) await runs.alone(group);
    };
    const newId = repository === undefined ? undefined : groupIds();
    const groups = new AggregationGroups(
      {
        strategy,
        predicate: optional(options.completionPredicate, context.predicate),
        eager: options.eagerCheckCompletion,
        size: options.completionSize,
        sizeOf: optional(options.completionSizeExpression, context.expression),
        timeoutMs: options.completionTimeout,
        timeoutOf: optional(options.completionTimeoutExpression, context.expression),
        newGroupCompletes: options.completionOnNewCorrelationGroup,
        batchCompletes: options.completionFromBatchConsumer,
        closedKeys: options.closeCorrelationKeyOnCompletion,
        discardOnFailure: options.discardOnAggregationFailure,
        maxGroups: aggregateGroups,
        maxMessages: splitItems,
        maxBytes: aggregateBytes,
      },
      (group) => void timedOut(group),
      (by) => context.count("openGroups", by),
      newId,
    );
    const stored =
      repository &&
      new StoredGroups({
        ...repository,
        fingerprint,
        groups,
        open: { limits: context.limits, routeId: context.routeId, keyOf },
        recovered: (group, takeovers) => void runs.again(group, takeovers),
        log: (level, message) => context.log(level, "", message),
      });
    runs.ends = stored;
    const takeAll = async (by: CompletedBy): Promise<readonly CompleteGroup[]> =>
      stored === undefined ? groups.takeAll(by) : await stored.takeAll(by);
    const runAll = async (complete: readonly CompleteGroup[]): Promise<void> => {
      await Promise.all(complete.map((group) => runs.alone(group)));
    };
    const completeAll = async (by: CompletedBy): Promise<void> => runAll(await takeAll(by));
    const clock =
      completionInterval > 0 ? new Interval(completionInterval, () => void completeAll("interval")) : undefined;
    const { forceCompletionOnStop, completeAllOnStop, completionTimeout } = options;
    const timed = completionTimeout > 0;
    const atStop = forceCompletionOnStop || completeAllOnStop;
    context.atRouteStop(() => {
      if (forceCompletionOnStop || (completeAllOnStop && !timed)) void completeAll("force");
    });
    if (stored !== undefined && repository !== undefined) {
      context.atRouteStart(() => {
        clock?.start();
        stored.begin();
      });
      context.atHalt(() => stored.halt(!atStop));
      repository.port.onForgotten(repository.name, () => stored.forget());
    }
    context.atEnd(async (end) => {
      clock?.stop();
      // Another thread of the deployment goes on with the groups that are stored.
      const completes = atStop && (stored === undefined || end !== "leaves");
      if (completes && completeAllOnStop && timed) await groups.empty();
      if (completes)
        await runAll(end === "replaced" && stored ? await stored.takeOwn("force") : await takeAll("force"));
      if (stored === undefined && groups.size > 0)
        context.log("WARN", "", `${groups.size} groups of '${context.stepId}' were not complete and are lost`);
      if (stored === undefined) groups.clear();
      else stored.halt(true);
    });
    const run = (exchange: Exchange, complete: readonly CompleteGroup[]): void | Promise<void> => {
      if (complete.length === 0) return;
      if (!parallelProcessing) return runs.inTurn(exchange, complete);
      for (const group of complete) void runs.alone(group, exchange);
    };
    return (exchange) => {
      clock?.start();
      if (asks(exchange, "CamelAggregationCompleteAllGroups")) {
        if (stored === undefined) return runs.inTurn(exchange, groups.takeAll("force"));
        return resumed(exchange.run, stored.takeAll("force"), (complete) => runs.inTurn(exchange, complete));
      }
      const key = keyOf(exchange);
      if (isInvalid(key)) {
        if (options.ignoreInvalidCorrelationKeys) return;
        throw new FlowException(
          "org.apache.camel.CamelExchangeException",
          `Invalid correlation key. Exchange[${exchange.id}]`,
        );
      }
      const all = asks(exchange, inclusive);
      exchange.message.headers.delete(inclusive);
      if (stored === undefined) {
        const { complete } = groups.add(key, exchange);
        return run(exchange, all ? [...complete, ...groups.takeAll("force")] : complete);
      }
      const joined = stored.join(key, exchange);
      const completed = all
        ? joined.then(async (complete) => [...complete, ...(await stored.takeAll("force"))])
        : joined;
      return resumed(exchange.run, completed, (complete) => run(exchange, complete));
    };
  },
});

const completionOptions = [
  "completionSize",
  "completionSizeExpression",
  "completionTimeout",
  "completionTimeoutExpression",
  "completionInterval",
  "completionPredicate",
  "completionFromBatchConsumer",
] as const;

function completes(options: Partial<Record<(typeof completionOptions)[number], unknown>>): boolean {
  return completionOptions.some((name) => Boolean(options[name]));
}

/** A message with it completes all groups, its own too. One with CamelAggregationCompleteAllGroups is not aggregated itself. */
const inclusive = "CamelAggregationCompleteAllGroupsInclusive";

function asks({ message }: Exchange, header: string): boolean {
  return asText(message.headers.get(header)) === "true";
}

function isInvalid(key: unknown): boolean {
  const text = typeof key === "string" ? key : markupOf(key);
  return key === null || key === undefined || text?.trim() === "";
}

/** Ids of groups, which no other thread gives. */
function groupIds(): () => string {
  let begun: string | undefined;
  let last = 0;
  return () => {
    begun ??= crypto.randomUUID();
    last += 1;
    return `${begun}-${last}`;
  };
}

/** Ticks after the first message, so that a flow that is only compiled has no timer. */
class Interval {
  readonly #ms: number;
  readonly #tick: () => void;
  #stop: (() => void) | undefined;

  constructor(ms: number, tick: () => void) {
    this.#ms = ms;
    this.#tick = tick;
  }

  start(): void {
    this.#stop ??= after(this.#ms, () => {
      this.#stop = undefined;
      this.start();
      this.#tick();
    });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
