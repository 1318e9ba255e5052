/** The `circuitBreaker` step (Camel: ResilienceProcessor over resilience4j). Its steps run on a copy, without the route's error handler. */
import { takeBranch } from "../engine/branch.ts";
import { FlowException } from "../engine/exception.ts";
import { isOneOf } from "../engine/exception-match.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineStep } from "../engine/step.ts";
import { afterFailure, breakerCall, isRecorded, setResponse } from "./circuit-breaker/call.ts";
import { breakerOptions, breakerRules } from "./circuit-breaker/options.ts";
import { Breaker } from "./circuit-breaker/states.ts";

const figureOf = { CLOSED: "breakersClosed", OPEN: "breakersOpen", HALF_OPEN: "breakersHalfOpen" } as const;

export const circuitBreaker = defineStep({
  name: "circuitBreaker",
  docs: "Runs its steps until too many of them fail or are slow; then it lets no message through for a while, and runs onFallback in their place.",
  options: (z, slots) =>
    z.object({
      steps: slots.steps("What is called through the breaker.").default([]),
      onFallback: slots
        .clause(
          {
            steps: slots
              .steps("Steps in place of those that failed. They see the message as it was before.")
              .default([]),
            fallbackViaNetwork: slots.only(false, "a fallback has no thread of its own: leave it out"),
          },
          "What is done when the call fails, or is not made because the breaker is open; without it the message fails.",
        )
        .optional(),
      resilience4jConfiguration: breakerOptions(
        z,
        slots,
        "When the breaker opens and closes, and what bounds the calls.",
      ).prefault({}),
      faultToleranceConfiguration: slots.refused("write its settings as resilience4jConfiguration"),
      configuration: slots.refused("write the settings into the step, as resilience4jConfiguration"),
    }),
  example: `circuitBreaker:
  resilience4jConfiguration: { slidingWindowSize: 20, minimumNumberOfCalls: 10, waitDurationInOpenState: 30s }
  steps:
    - setBody: { expression: { constant: { expression: "from afar" } } }
  onFallback:
    steps:
      - setBody: { expression: { constant: { expression: "from here" } } }`,
  stateful: true,
  ownErrors: true,
  compile({ steps, onFallback, resilience4jConfiguration: options }, context) {
    const { stepId } = context;
    const unguarded = { errorHandler: "none" } as const;
    const inner = context.pipeline(steps, unguarded);
    const fallback = onFallback && context.pipeline(onFallback.steps, unguarded);
    const breaker = new Breaker(
      breakerRules(options),
      () => performance.now(),
      (state, before) => {
        context.count(figureOf[state]);
        if (before !== undefined) context.count(figureOf[before], -1);
      },
    );
    const call = breakerCall(inner, options, stepId);
    const goOnWithout = afterFailure(breaker, options, fallback, {
      by: `circuitBreaker at line ${context.line}`,
      count: context.count,
    });

    return (exchange) => {
      if (!breaker.permits()) {
        const message = `CircuitBreaker '${stepId}' is ${breaker.state} and does not permit further calls`;
        const error = new FlowException("io.github.resilience4j.circuitbreaker.CallNotPermittedException", message);
        return goOnWithout(exchange, error);
      }
      const began = performance.now();
      const succeed = (branch: Exchange): void => {
        breaker.record(false, performance.now() - began);
        takeBranch(exchange, branch);
        setResponse(exchange, { SuccessfulExecution: true, ResponseFromFallback: false });
        exchange.properties.set("CamelCircuitBreakerState", breaker.state);
      };
      const fail = (error: unknown): void | Promise<void> => {
        if (exchange.run.cancelled || isOneOf(error, options.ignoreException)) breaker.forget();
        else breaker.record(isRecorded(error, options), performance.now() - began);
        if (exchange.run.cancelled) throw error;
        return goOnWithout(exchange, error);
      };
      let branch: Exchange | Promise<Exchange>;
      try {
        branch = call(exchange);
      } catch (error) {
        return fail(error);
      }
      return branch instanceof Promise ? branch.then(succeed, fail) : succeed(branch);
    };
  },
});
