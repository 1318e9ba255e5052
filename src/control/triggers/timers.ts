/** The clocks of `timer:` triggers: one per route however many threads its flow has; a replacement with the same URI keeps its phase. */

import type { TimerTrigger } from "../../shared/manifest.ts";
import { BodyKind, type InvokeExtra } from "../../shared/protocol.ts";
import { type Deployment, isStarted } from "../flows/deployment.ts";
import type { Runner } from "../runs/runner.ts";

/** `setTimeout` fires at once beyond this. */
const longestWaitMs = 2 ** 31 - 1;
/** Ticks that a fixed rate makes up for when the machine slept or the loop was held; older ones are dropped. */
const mostCaughtUp = 10;

interface Clock {
  readonly trigger: TimerTrigger;
  readonly uri: string;
  readonly routeId: string;
  deployment: Deployment;
  routeIndex: number;
  /** Epoch ms of the next tick. */
  nextAt: number;
  /** Ticks so far. */
  count: number;
  running: number;
  /** Ticks that wait for the run before them (`overlap=queue`). */
  waiting: number;
  timer: NodeJS.Timeout | undefined;
  /** Its route does not run any more. */
  unmounted: boolean;
}

export class Timers {
  readonly #runner: Runner;
  readonly #skipped: (flowId: string) => void;
  readonly #clocks = new Map<string, Map<string, Clock>>();
  #stopped = false;

  /** `skipped` is told of each tick that begins no run. */
  constructor(runner: Runner, skipped: (flowId: string) => void) {
    this.#runner = runner;
    this.#skipped = skipped;
  }

  swap(flowId: string, now: Deployment | undefined): void {
    const before = this.#clocks.get(flowId) ?? new Map<string, Clock>();
    const clocks = new Map<string, Clock>();
    now?.manifest.routes.forEach((route, routeIndex) => {
      const { trigger } = route;
      if (trigger.kind !== "timer" || !isStarted(now, route) || this.#stopped) return;
      const kept = before.get(route.id);
      if (kept !== undefined && kept.uri === route.uri) {
        kept.deployment = now;
        kept.routeIndex = routeIndex;
        clocks.set(route.id, kept);
      } else clocks.set(route.id, this.#begin(route.id, route.uri, trigger, now, routeIndex));
    });
    for (const [routeId, clock] of before) if (clocks.get(routeId) !== clock) unmount(clock);
    if (clocks.size === 0) this.#clocks.delete(flowId);
    else this.#clocks.set(flowId, clocks);
  }

  /** No clock ticks from here on: the runtime drains. */
  stop(): void {
    this.#stopped = true;
    for (const clocks of this.#clocks.values()) for (const clock of clocks.values()) unmount(clock);
    this.#clocks.clear();
  }

  #begin(routeId: string, uri: string, trigger: TimerTrigger, deployment: Deployment, routeIndex: number): Clock {
    const nextAt = Date.now() + trigger.delayMs;
    const clock: Clock = {
      trigger,
      uri,
      routeId,
      deployment,
      routeIndex,
      nextAt,
      count: 0,
      running: 0,
      waiting: 0,
      timer: undefined,
      unmounted: false,
    };
    this.#schedule(clock);
    return clock;
  }

  /** Waits in stretches that `setTimeout` can hold. */
  #schedule(clock: Clock): void {
    const waitMs = clock.nextAt - Date.now();
    if (waitMs > longestWaitMs) clock.timer = setTimeout(() => this.#schedule(clock), longestWaitMs);
    else clock.timer = setTimeout(() => this.#tick(clock), Math.max(0, waitMs));
  }

  #tick(clock: Clock): void {
    const { periodMs, repeatCount, fixedRate, overlap } = clock.trigger;
    const { hosted, limits } = clock.deployment;
    const free = clock.running + clock.waiting === 0 || overlap === "allow";
    const waits = !free && overlap === "queue" && clock.waiting < limits.queue;
    if (hosted.quarantinedMs > 0 || !(free || waits)) this.#skipped(clock.deployment.flowId);
    else {
      // A tick that is skipped is no run: Camel's timer, whose thread runs the route, would not have ticked.
      clock.count += 1;
      if (free) this.#run(clock, clock.count);
      else clock.waiting += 1;
    }
    if (repeatCount > 0 && clock.count >= repeatCount) return;
    // A fixed rate counts from the tick that was due, a fixed delay from the one that came (java.util.Timer).
    const now = Date.now();
    const dueAt = fixedRate ? inPhase(clock.nextAt, periodMs, now) : now;
    clock.nextAt = dueAt + periodMs;
    this.#schedule(clock);
  }

  #run(clock: Clock, count: number): void {
    clock.running += 1;
    const { deployment, routeIndex, uri } = clock;
    this.#runner.start({
      deployment,
      routeIndex,
      trigger: { kind: "timer", uri },
      headers: "",
      bodyKind: BodyKind.none,
      body: null,
      extra: clock.trigger.includeMetadata ? JSON.stringify(metadata(clock, count)) : undefined,
      deadline: Date.now() + deployment.limits.timerWallMs,
      ended: () => {
        clock.running -= 1;
        // Not at once: runs that are refused at once would end inside each other.
        if (clock.waiting > 0) setImmediate(() => this.#next(clock));
      },
    });
  }

  #next(clock: Clock): void {
    if (clock.waiting === 0 || clock.running > 0 || clock.unmounted) return;
    clock.waiting -= 1;
    this.#run(clock, clock.count - clock.waiting);
  }
}

function unmount(clock: Clock): void {
  clock.unmounted = true;
  clearTimeout(clock.timer);
}

/** The moment of a tick so few periods before `now` that those since then can be made up for. */
function inPhase(tickAt: number, periodMs: number, now: number): number {
  const behind = Math.floor((now - tickAt) / periodMs);
  return tickAt + Math.max(0, behind - mostCaughtUp) * periodMs;
}

/** What Camel's TimerConsumer sets with `includeMetadata=true`. */
function metadata({ trigger }: Clock, count: number): InvokeExtra {
  const now = Date.now();
  const firedAt = new Date(now).toISOString();
  return {
    headers: [
      ["CamelTimerFiredTime", firedAt],
      ["CamelMessageTimestamp", now],
    ],
    properties: {
      CamelTimerCounter: count,
      CamelTimerName: trigger.name,
      CamelTimerPeriod: trigger.periodMs,
      CamelTimerFiredTime: firedAt,
    },
  };
}
