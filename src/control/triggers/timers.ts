/**
 * The clocks of timers, schedulers and cron schedules: one per route, however many threads its flow has; a replacement
 * with the same URI keeps its phase.
 */

import type { ClockTrigger, Trigger } from "../../shared/manifest.ts";
import { BodyKind } from "../../shared/protocol.ts";
import { type Deployment, isStarted } from "../flows/deployment.ts";
import type { LiveFlows } from "../flows/live-flows.ts";
import type { Runner } from "../runs/runner.ts";
import { type ClockTimes, metadataOf, type Tick, timesOf } from "./clock-ticks.ts";
import type { Webhooks } from "./webhooks.ts";

/** Beyond this time `setTimeout` fires at once. */
const longestWaitMs = 2 ** 31 - 1;
/** A wait for a time of the day checks the clock this often: `setTimeout` does not count while the machine sleeps. */
const longestBlindMs = 60_000;

interface Clock {
  readonly trigger: ClockTrigger;
  readonly times: ClockTimes;
  readonly uri: string;
  readonly routeId: string;
  deployment: Deployment;
  routeIndex: number;
  /** Epoch ms of the next tick. */
  nextAt: number;
  /** Ticks so far. */
  count: number;
  /** Epoch ms of the last tick. */
  previousAt: number | undefined;
  running: number;
  /** Ticks that wait for the run before them (`overlap=queue`), the oldest first. */
  readonly waiting: Tick[];
  timer: NodeJS.Timeout | undefined;
  /** true: its route no longer runs. */
  unmounted: boolean;
}

export class Timers {
  readonly #runner: Runner;
  readonly #skipped: (flowId: string) => void;
  readonly #clocks = new Map<string, Map<string, Clock>>();
  readonly #overloaded: () => boolean;
  #stopped = false;

  /** `skipped` is called for each tick that begins no run; while `overloaded`, no tick begins one. */
  constructor(runner: Runner, skipped: (flowId: string) => void, overloaded: () => boolean) {
    this.#runner = runner;
    this.#skipped = skipped;
    this.#overloaded = overloaded;
  }

  swap(flowId: string, now: Deployment | undefined): void {
    const before = this.#clocks.get(flowId) ?? new Map<string, Clock>();
    const clocks = new Map<string, Clock>();
    now?.manifest.routes.forEach((route, routeIndex) => {
      const { trigger } = route;
      if (!isClock(trigger) || !isStarted(now, routeIndex) || this.#stopped) return;
      const kept = before.get(route.id);
      if (kept !== undefined && kept.uri === route.uri) {
        kept.deployment = now;
        kept.routeIndex = routeIndex;
        if (kept.nextAt > Date.now()) now.nextRuns.set(route.id, kept.nextAt);
        clocks.set(route.id, kept);
        return;
      }
      const begun = this.#begin(route.id, route.uri, trigger, now, routeIndex);
      if (begun !== undefined) clocks.set(route.id, begun);
    });
    for (const [routeId, clock] of before) if (clocks.get(routeId) !== clock) unmount(clock);
    if (clocks.size === 0) this.#clocks.delete(flowId);
    else this.#clocks.set(flowId, clocks);
  }

  /**
   * The state of a route of a live deployment has changed. A suspended route's clock goes on and begins no runs; a
   * stopped one begins anew (Camel: TimerConsumer).
   */
  changed(deployment: Deployment, routeIndex: number): void {
    const { flowId, manifest, states } = deployment;
    const route = manifest.routes[routeIndex];
    if (route === undefined || !isClock(route.trigger) || this.#stopped) return;
    const clocks = this.#clocks.get(flowId) ?? new Map<string, Clock>();
    const clock = clocks.get(route.id);
    const state = states.get(routeIndex);
    if (state === "Started" && clock === undefined) {
      const begun = this.#begin(route.id, route.uri, route.trigger, deployment, routeIndex);
      if (begun !== undefined) this.#clocks.set(flowId, clocks.set(route.id, begun));
    } else if (state === "Stopped" && clock !== undefined) {
      unmount(clock);
      clocks.delete(route.id);
    } else clock?.waiting.splice(0);
  }

  /**
   * Counts a run that is begun by hand among the runs of the route's clock, until the returned function is called.
   * Returns undefined when a run is under way and may have no other beside it.
   */
  join(flowId: string, routeId: string): (() => void) | undefined {
    const clock = this.#clocks.get(flowId)?.get(routeId);
    // A clock that has ticked for the last time is gone.
    if (clock === undefined) return () => {};
    if (clock.running > 0 && clock.trigger.overlap !== "allow") return undefined;
    clock.running += 1;
    return () => this.#left(clock);
  }

  /** Stops all clocks: the runtime drains. */
  stop(): void {
    this.#stopped = true;
    for (const clocks of this.#clocks.values()) for (const clock of clocks.values()) unmount(clock);
    this.#clocks.clear();
  }

  #begin(
    routeId: string,
    uri: string,
    trigger: ClockTrigger,
    deployment: Deployment,
    routeIndex: number,
  ): Clock | undefined {
    let times: ClockTimes;
    try {
      times = timesOf(trigger);
    } catch {
      // The schedule was readable when the flow was checked. If it is not any more, the swap must not fail.
      return undefined;
    }
    const nextAt = times.first(Date.now());
    if (nextAt === undefined) return undefined;
    const clock: Clock = {
      trigger,
      times,
      uri,
      routeId,
      deployment,
      routeIndex,
      nextAt,
      count: 0,
      previousAt: undefined,
      running: 0,
      waiting: [],
      timer: undefined,
      unmounted: false,
    };
    this.#schedule(clock);
    return clock;
  }

  /** Waits in steps that `setTimeout` can handle. */
  #schedule(clock: Clock): void {
    clock.deployment.nextRuns.set(clock.routeId, clock.nextAt);
    const waitMs = clock.nextAt - Date.now();
    const stretchMs = clock.times.byCalendar ? longestBlindMs : longestWaitMs;
    if (waitMs > stretchMs) clock.timer = setTimeout(() => this.#schedule(clock), stretchMs);
    else clock.timer = setTimeout(() => this.#tick(clock), Math.max(0, waitMs));
  }

  #tick(clock: Clock): void {
    const { times } = clock;
    const { overlap } = clock.trigger;
    const { pool, limits, mocks } = clock.deployment;
    const now = Date.now();
    const dueAt = clock.nextAt;
    clock.deployment.nextRuns.delete(clock.routeId);
    const nextAt = times.next(dueAt, now);
    const free = clock.running + clock.waiting.length === 0 || overlap === "allow";
    const waits = !free && overlap === "queue" && clock.waiting.length < limits.queue;
    const suspended = !isStarted(clock.deployment, clock.routeIndex);
    const replaced = mocks?.some((session) => session.replaced.has(clock.routeId)) === true;
    const able = pool.quarantinedMs === 0 && !this.#overloaded();
    const runs = !suspended && !replaced && able && (free || waits);
    if (!runs && !suspended) this.#skipped(clock.deployment.flowId);
    if (runs) {
      // A skipped tick is no run: Camel's timer, whose thread runs the route, would not have ticked.
      clock.count += 1;
      const tick: Tick = { count: clock.count, dueAt, previousAt: clock.previousAt, nextAt };
      clock.previousAt = now;
      if (free) this.#run(clock, tick);
      else clock.waiting.push(tick);
    }
    if (runs && times.fromEnd) return;
    this.#continue(clock, nextAt);
  }

  #continue(clock: Clock, nextAt: number | undefined): void {
    const { most } = clock.times;
    if (nextAt === undefined || clock.unmounted || (most > 0 && clock.count >= most)) return;
    clock.nextAt = nextAt;
    this.#schedule(clock);
  }

  #run(clock: Clock, tick: Tick): void {
    clock.running += 1;
    const { deployment, routeIndex, uri, trigger, times } = clock;
    const extra = metadataOf(trigger, tick);
    this.#runner.start({
      deployment,
      routeIndex,
      trigger: { kind: "timer", uri },
      headers: "",
      bodyKind: BodyKind.none,
      body: null,
      extra: extra && JSON.stringify(extra),
      deadline: Date.now() + deployment.limits.timerWallMs,
      ended: () => {
        const now = Date.now();
        if (times.fromEnd) this.#continue(clock, times.next(now, now));
        this.#left(clock);
      },
    });
  }

  #left(clock: Clock): void {
    clock.running -= 1;
    // Not at once: runs that are refused immediately would end inside each other.
    if (clock.waiting.length > 0) setImmediate(() => this.#next(clock));
  }

  #next(clock: Clock): void {
    if (clock.running > 0 || clock.unmounted) return;
    const tick = clock.waiting.shift();
    if (tick !== undefined) this.#run(clock, tick);
  }
}

export function isClock(trigger: Trigger): trigger is ClockTrigger {
  return trigger.kind === "timer" || trigger.kind === "scheduler" || trigger.kind === "quartz";
}

function unmount(clock: Clock): void {
  clock.unmounted = true;
  clock.deployment.nextRuns.delete(clock.routeId);
  clearTimeout(clock.timer);
}

/**
 * Mounts the triggers of a deployment when it goes live, and unmounts those of the previous one, within the swap. Webhooks check with each
 * request whether their route is started; clocks are notified of changes.
 */
export function followSwaps(live: LiveFlows, webhooks: Webhooks, timers: Timers): void {
  live.onSwap((flowId, now, before) => {
    webhooks.swap(flowId, now, before);
    timers.swap(flowId, now);
  });
  live.onRoutes((deployment, routeIndexes) => {
    for (const routeIndex of routeIndexes) timers.changed(deployment, routeIndex);
  });
}
