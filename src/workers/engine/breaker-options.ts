/** Camel's resilience4jConfiguration: its options, defaults and units of 4.22. */
import type { BreakerRules } from "./breaker.ts";
import type { OptionsOf, Slots, Z } from "./slots.ts";

const greatestWindow = 100_000;
const noBeans = "there are no beans of this kind here: write its settings as options";

export function breakerOptions(z: Z, { clause, text, integer, duration, flag, oneOf, only, idle, refused }: Slots) {
  const percent = (words?: string) =>
    text(words).refine((value) => Number(value) > 0 && Number(value) <= 100, "a percentage is above 0, at most 100");
  const count = (words?: string) =>
    integer(words).refine((value) => value > 0 && value <= greatestWindow, `from 1 to ${greatestWindow}`);
  return clause({
    failureRateThreshold: percent().default("50"),
    slowCallRateThreshold: percent().default("100"),
    slowCallDurationThreshold: duration().default(60_000),
    slidingWindowType: oneOf(["COUNT_BASED", "TIME_BASED"]).default("COUNT_BASED"),
    slidingWindowSize: count().describe("Calls; with TIME_BASED seconds.").default(100),
    minimumNumberOfCalls: count().default(100),
    permittedNumberOfCallsInHalfOpenState: count().default(10),
    waitDurationInOpenState: duration()
      .describe("A number without a unit is milliseconds, as in Camel since 4.22.")
      .default(60_000),
    automaticTransitionFromOpenToHalfOpenEnabled: flag().default(false),
    throwExceptionWhenHalfOpenOrOpenState: flag().default(false),
    writableStackTraceEnabled: idle(flag, "failures carry no Java stack trace"),
    recordException: z.array(text()).default([]),
    ignoreException: z.array(text()).default([]),
    bulkheadEnabled: flag().default(false),
    bulkheadMaxConcurrentCalls: count().default(25),
    bulkheadMaxWaitDuration: duration().default(0),
    timeoutEnabled: flag().default(false),
    timeoutDuration: duration()
      .refine((ms) => ms > 0, "timeoutDuration is at least 1 ms")
      .default(1000),
    timeoutCancelRunningFuture: only(
      true,
      "steps that have run out of time are always cancelled: leave the option out",
    ),
    timeoutExecutorService: refused("there are no thread pools here: leave the option out"),
    asynchronous: idle(flag, "waiting never holds a thread here"),
    micrometerEnabled: refused("a breaker has no meters of its own: leave the option out"),
    circuitBreaker: refused(noBeans),
    config: refused(noBeans),
  });
}

export type BreakerOptions = OptionsOf<ReturnType<typeof breakerOptions>>;

export function breakerRules(options: BreakerOptions): BreakerRules {
  return {
    ...options,
    failureRateThreshold: Number(options.failureRateThreshold),
    slowCallRateThreshold: Number(options.slowCallRateThreshold),
  };
}
