/** `direct:` calls to another flow: found at each call, run as child runs under their caller's deadline. */

import { howToRaise } from "../../shared/limits.ts";
import { BodyKind, type ResultExtra } from "../../shared/protocol.ts";
import type { LiveFlows } from "../flows/live-flows.ts";
import type { InvocationResult } from "../threads/invocation.ts";
import type { FlowCall } from "../threads/pool-events.ts";
import type { Runner } from "./runner.ts";
import type { RunningRun } from "./running-run.ts";

export class Calls {
  readonly #live: LiveFlows;
  readonly #runner: Runner;

  constructor(live: LiveFlows, runner: Runner) {
    this.#live = live;
    this.#runner = runner;
  }

  start(parent: RunningRun, call: FlowCall): void {
    const target = this.#live.direct(parent.deployment.flowId, call.name);
    if (target === undefined) {
      refuse(call, "DirectConsumerNotAvailableException", missing(call.name));
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
        // One deadline is both of theirs: the caller is not to take it for a failure that it could handle, or answer as its own.
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

function missing(name: string): string {
  return `no started route consumes 'direct:${name}' in the caller's group, and none elsewhere is shared`;
}
