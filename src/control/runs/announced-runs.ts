/** Runs that begin inside a thread (wireTap, an aggregation's time-out, a source's message): opened like any other, and run where their message is. */
import { BodyKind } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { LiveFlows } from "../flows/live-flows.ts";
import type { AnnouncedRun } from "../threads/pool-events.ts";
import type { PooledFlow } from "../threads/pooled-flow.ts";
import type { RunTrigger } from "./run-record.ts";
import type { Runner } from "./runner.ts";

export class AnnouncedRuns {
  readonly #runner: Runner;
  /** Those that drain, too: what they announce is a part of their drain. */
  readonly #deployments = new WeakMap<PooledFlow, Deployment>();

  constructor(live: LiveFlows, runner: Runner) {
    this.#runner = runner;
    live.onSwap((_flowId, now) => {
      if (now === undefined) return;
      this.#deployments.set(now.pool, now);
      now.pool.serve(now.states.running);
    });
    live.onRoutes(({ pool, states }) => pool.serve(states.running));
  }

  /** Under a deadline of its own: nobody waits for it under another. */
  start(pool: PooledFlow, announced: AnnouncedRun): void {
    const { origin, routeIndex } = announced;
    const deployment = this.#deployments.get(pool);
    const hops = origin === undefined ? 0 : origin.hops + 1;
    const refuse = (why: string): void => {
      if (origin !== undefined) this.#runner.childFailed(origin.children);
      announced.refuse(why);
    };
    if (deployment === undefined) refuse("its flow does not serve yet");
    else if (hops > pool.limits.directDepth) refuse("too many runs have caused each other");
    else {
      this.#runner.start({
        deployment,
        routeIndex,
        trigger: triggerOf(announced, pool),
        headers: "",
        bodyKind: BodyKind.held,
        body: String(announced.token),
        deadline: Date.now() + pool.limits.timerWallMs,
        traceId: origin?.traceId,
        parentRunId: origin?.runId,
        causedBy: origin?.children,
        mocks: origin?.mocks,
        into: announced,
        hops,
        ended() {},
      });
    }
  }
}

function triggerOf({ cause: kind, uri, routeIndex }: AnnouncedRun, { manifest }: PooledFlow): RunTrigger {
  const trigger = manifest.routes[routeIndex]?.trigger;
  return trigger?.kind === "source" && kind === "source" ? { kind, scheme: trigger.scheme, uri } : { kind, uri };
}
