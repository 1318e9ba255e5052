/** The `loadBalance` step (Camel: LoadBalanceReifier): each of its steps is one way that a message can go. */
import {
  failoverBalancer,
  randomBalancer,
  roundRobinBalancer,
  stickyBalancer,
  topicBalancer,
} from "../engine/balancers.ts";
import type { Processor } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";
import { readWeights, weightedBalancer } from "../engine/weighted-balancer.ts";

const custom = "there are no processor beans: use one of the other load balancers";

export const loadBalance = defineStep({
  name: "loadBalance",
  docs: "Sends each message one of several ways, one for each of its steps: in turn, at random, by weight, by key, to the next when one fails, or all.",
  options: (z, { steps, clause, text, flag, integer, expression, refused }) =>
    z
      .object({
        roundRobinLoadBalancer: clause({}).optional(),
        randomLoadBalancer: clause({}).optional(),
        topicLoadBalancer: clause({}).optional(),
        stickyLoadBalancer: clause({ correlationExpression: expression().optional() }).optional(),
        weightedLoadBalancer: clause({
          distributionRatio: text(),
          distributionRatioDelimiter: text().default(","),
          roundRobin: flag().default(false),
        }).optional(),
        failoverLoadBalancer: clause({
          exception: z.array(text()).default([]),
          roundRobin: flag().default(false),
          sticky: flag().default(false),
          maximumFailoverAttempts: integer().default(-1),
          inheritErrorHandler: flag().default(true),
        }).optional(),
        customLoadBalancer: refused(custom),
        steps: steps().default([]),
      })
      .refine(
        (options) => Object.keys(options).length === 2,
        "name one load balancer, such as roundRobinLoadBalancer: {}",
      ),
  example: `loadBalance:
  roundRobinLoadBalancer: {}
  steps:
    - setBody: { constant: "one" }
    - setBody: { constant: "two" }`,
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
