/** Runs that other runs cause: calls of `direct:` in another flow, and runs that begin inside a thread. */

import { howToRaise } from "../../shared/limits.ts";
import { BodyKind, type ResultExtra } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import type { LiveFlows } from "../flows/live-flows.ts";
import type { InvocationResult } from "../threads/invocation.ts";
import type { AnnouncedRun, FlowCall, PooledFlow } from "../threads/pooled-flow.ts";
import type { RunTrigger } from "./run-record.ts";
import type { Runner } from "./runner.ts";
import type { RunningRun } from "./running-run.ts";

/** Returns why `direct:<name>` cannot be called by a flow. */
export type MissingTarget = (callerId: string, name: string) => string;

/** Calls of `direct:` in another flow: its route is looked up at each call, and runs as a child run under the deadline of its caller. */
export class Calls {
  readonly #live: LiveFlows;
  readonly #runner: Runner;
  readonly #missing: MissingTarget;

  constructor(live: LiveFlows, runner: Runner, missing: MissingTarget) {
    this.#live = live;
    this.#runner = runner;
    this.#missing = missing;
  }

  start(parent: RunningRun, call: FlowCall): void {
    const target = this.#live.direct(parent.deployment.flowId, call.name);
    if (target === undefined) {
      refuse(call, "DirectConsumerNotAvailableException", this.#missing(parent.deployment.flowId, call.name));
      return;
    }
    const hops = parent.hops + call.hops + 1;
    const { limits, manifest } = target.deployment;
    if (hops > limits.directDepth) {
      const bound = `direct calls nest at most ${limits.directDepth} deep`;
      refuse(call, "LimitExceededException", `${bound}: ${howToRaise("directDepth")}`);
      return;
    }
    this.#runner.start({
      deployment: target.deployment,
      routeIndex: target.routeIndex,
      trigger: { kind: "direct", uri: manifest.routes[target.routeIndex]?.uri ?? `direct:${call.name}` },
      headers: "",
      bodyKind: call.bodyKind,
      body: call.body,
      extra: call.extra,
      deadline: parent.deadline,
      parent,
      hops,
      ended(child, result) {
        // Both have the same deadline, so the caller ends with the child: it must not handle the time-out as a failure.
        if (child.record.status === "timeout") parent.cancel(undefined, "its time is over", true);
        answer(call, child, result);
      },
    });
  }
}

function answer(call: FlowCall, { record }: RunningRun, result: InvocationResult | undefined): void {
  if (record.status === "completed" && result !== undefined) {
    call.reply(result.bodyKind, result.body, result.reply);
  } else {
    const { type, message } = record.error ?? {
      type: "CamelExchangeException",
      message: `the called run ended as ${record.status}`,
    };
    refuse(call, type, message);
  }
}

function refuse(call: FlowCall, type: string, message: string): void {
  const extra: ResultExtra = { error: { type, message, stepId: null, line: null } };
  call.reply(BodyKind.none, null, JSON.stringify(extra));
}

/** Runs that begin inside a thread (wireTap, an aggregation's time-out, a source's message): opened like any other, and run in the thread that has their message. */
export class AnnouncedRuns {
  readonly #runner: Runner;
  /** Deployments that are drained included: the runs that they announce are part of the drain. */
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

  /** Starts the run with its own deadline: no caller waits for it. */
  start(pool: PooledFlow, announced: AnnouncedRun): void {
    const { origin, routeIndex, traceId } = announced;
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
        traceId: origin?.traceId ?? traceId,
        parentRunId: origin?.runId,
        causedBy: origin?.children,
        mocks: origin?.mocks,
        into: announced,
        hops,
        stored: (problem) => announced.stored(problem),
        ended() {},
      });
    }
  }
}

function triggerOf({ cause: kind, uri, routeIndex }: AnnouncedRun, { manifest }: PooledFlow): RunTrigger {
  const trigger = manifest.routes[routeIndex]?.trigger;
  return trigger?.kind === "source" && kind === "source" ? { kind, scheme: trigger.scheme, uri } : { kind, uri };
}
