/** Camel's resilience4jConfiguration: its options, defaults and units of 4.22. */

import type { OptionsOf, Slots, Z } from "../../engine/slots.ts";
import type { BreakerRules } from "./states.ts";

const greatestWindow = 100_000;
const noBeans = "there are no beans of this kind here: write its settings as options";

export function breakerOptions(
  z: Z,
  { clause, text, integer, duration, flag, oneOf, only, idle, refused }: Slots,
  words: string,
) {
  const percent = (words: string) =>
    text(words).refine((value) => Number(value) > 0 && Number(value) <= 100, "a percentage is above 0, at most 100");
  const count = (words: string) =>
    integer(words).refine((value) => value > 0 && value <= greatestWindow, `from 1 to ${greatestWindow}`);
  return clause(
    {
      failureRateThreshold: percent("Opens the breaker when this share of the calls has failed, in percent.").default(
        "50",
      ),
      slowCallRateThreshold: percent(
        "Opens the breaker when this share of the calls was slow, in percent; 100: when all were.",
      ).default("100"),
      slowCallDurationThreshold: duration("A call that takes longer is slow.").default(60_000),
      slidingWindowType: oneOf(
        ["COUNT_BASED", "TIME_BASED"],
        "What the shares are made of: the last calls (`COUNT_BASED`) or those of the last seconds (`TIME_BASED`).",
      ).default("COUNT_BASED"),
      slidingWindowSize: count("How many calls, or with `TIME_BASED` seconds, are looked back on.").default(100),
      slidingWindowSynchronizationStrategy: idle(
        (words) => oneOf(["LOCK_FREE", "SYNCHRONIZED"], words),
        "calls are counted one after another, without a lock",
      ),
      minimumNumberOfCalls: count("Decides nothing before this many calls, however they ended.").default(100),
      permittedNumberOfCallsInHalfOpenState: count(
        "How many calls are tried after the wait: they decide whether the breaker closes or opens again.",
      ).default(10),
      waitDurationInOpenState: duration(
        "How long an open breaker lets nothing through. A number without a unit is milliseconds, as in Camel since 4.22.",
      ).default(60_000),
      maxWaitDurationInHalfOpenState: duration(
        "How long a half open breaker waits for the calls that decide before it opens again; 0: as long as they take.",
      ).default(0),
      automaticTransitionFromOpenToHalfOpenEnabled: flag(
        "Counts as half open when the wait is over; without this when the next call comes.",
      ).default(false),
      throwExceptionWhenHalfOpenOrOpenState: flag(
        "A call that is not let through fails when there is no `onFallback`; without this the message goes on as it is.",
      ).default(false),
      writableStackTraceEnabled: idle(flag, "failures carry no Java stack trace"),
      recordException: z
        .array(
          text(
            "Failures that count against the call, by class; without any all do. Others are let pass as if all were well.",
          ),
        )
        .default([]),
      ignoreException: z
        .array(text("Failures that count neither way, by class: the message goes on, without the fallback."))
        .default([]),
      bulkheadEnabled: flag("Bounds how many calls are under way at the same time.").default(false),
      bulkheadMaxConcurrentCalls: count("How many calls may be under way; with `bulkheadEnabled`.").default(25),
      bulkheadMaxWaitDuration: duration(
        "How long a call waits for its turn before it fails; 0: it does not wait.",
      ).default(0),
      bulkheadFairCallHandlingEnabled: idle(flag, "waiting calls run in the order of their arrival"),
      timeoutEnabled: flag("Ends a call that takes too long.").default(false),
      timeoutDuration: duration("How long a call may take; with `timeoutEnabled`.")
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
    },
    words,
  );
}

export type BreakerOptions = OptionsOf<ReturnType<typeof breakerOptions>>;

export function breakerRules(options: BreakerOptions): BreakerRules {
  return {
    ...options,
    failureRateThreshold: Number(options.failureRateThreshold),
    slowCallRateThreshold: Number(options.slowCallRateThreshold),
  };
}
