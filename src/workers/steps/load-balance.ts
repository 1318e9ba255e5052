/** The `loadBalance` step (Camel: LoadBalanceReifier): each of its steps is a target. */

import type { Processor } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";
import {
  failoverBalancer,
  randomBalancer,
  readWeights,
  roundRobinBalancer,
  stickyBalancer,
  topicBalancer,
  weightedBalancer,
} from "./load-balance/balancers.ts";

const custom = "there are no processor beans: use one of the other load balancers";

export const loadBalance = defineStep({
  name: "loadBalance",
  docs: "Sends each message one of several ways, one for each of its steps: in turn, at random, by weight, by key, to the next when one fails, or all.",
  options: (z, { steps, clause, text, flag, integer, expression, refused }) =>
    z
      .object({
        roundRobinLoadBalancer: clause({}, "Each message goes the next way, in turn.").optional(),
        randomLoadBalancer: clause({}, "Each message goes a way by chance.").optional(),
        topicLoadBalancer: clause({}, "Each message goes all ways, one after another, as a copy.").optional(),
        stickyLoadBalancer: clause(
          { correlationExpression: expression("Gives the key by which messages go the same way.").optional() },
          "Messages with the same key go the same way.",
        ).optional(),
        weightedLoadBalancer: clause(
          {
            distributionRatio: text(
              "The shares, one for each step: `4,2,1` gives the first way four messages of seven.",
            ),
            distributionRatioDelimiter: text("What stands between two shares.").default(","),
            roundRobin: flag("Takes the ways in turn within their shares; without this by chance.").default(false),
          },
          "Each way gets its share of the messages.",
        ).optional(),
        failoverLoadBalancer: clause(
          {
            exception: z.array(text("Failures that lead to the next way, by class; without any all do.")).default([]),
            roundRobin: flag(
              "Begins with the next way for each message, and tries on from there; without this with the first.",
            ).default(false),
            sticky: flag("Begins with the way that went well last.").default(false),
            maximumFailoverAttempts: integer(
              "How many further ways are tried; -1: as many as there are. With `roundRobin` -1 goes around until the limit loopIterations.",
            ).default(-1),
            inheritErrorHandler: flag(
              "The route's error handler deals with a way's failure first, before the next way is tried; with `false` the next way is tried at once.",
            ).default(true),
          },
          "Tries the next way when one has failed.",
        ).optional(),
        customLoadBalancer: refused(custom),
        steps: steps("The ways: each step is one. Put several steps of one way into a `pipeline`.").default([]),
      })
      .refine(
        (options) => Object.keys(options).length === 2,
        "name one load balancer, such as roundRobinLoadBalancer: {}",
      ),
  example: `loadBalance:
  roundRobinLoadBalancer: {}
  steps:
    - setBody: { expression: { constant: { expression: "one" } } }
    - setBody: { expression: { constant: { expression: "two" } } }`,
  stateful: true,
  compile(options, context) {
    const { failoverLoadBalancer: failover, weightedLoadBalancer: weighted, stickyLoadBalancer: sticky } = options;
    const unguarded = failover?.inheritErrorHandler === false ? ({ errorHandler: "none" } as const) : undefined;
    const ways: Processor[] = options.steps.map((step) => context.pipeline([step], unguarded));
    if (ways.length === 0) throw new Error("loadBalance needs at least one step: each is one way");
    if (failover !== undefined) return failoverBalancer(ways, failover, `loadBalance at line ${context.line}`);
    if (weighted !== undefined) {
      const { distributionRatio, distributionRatioDelimiter, roundRobin } = weighted;
      return weightedBalancer(
        ways,
        readWeights(distributionRatio, distributionRatioDelimiter, ways.length),
        roundRobin,
      );
    }
    if (sticky !== undefined) {
      if (sticky.correlationExpression === undefined)
        throw new Error("stickyLoadBalancer needs a correlationExpression");
      return stickyBalancer(ways, context.expression(sticky.correlationExpression));
    }
    if (options.topicLoadBalancer !== undefined) return topicBalancer(ways);
    return options.randomLoadBalancer === undefined ? roundRobinBalancer(ways) : randomBalancer(ways);
  },
});
