/** Begins a run of a route by hand that otherwise a clock or a poll begins. */
import { AppError } from "../../shared/errors.ts";
import type { RouteManifest } from "../../shared/manifest.ts";
import type { InvokeExtra } from "../../shared/protocol.ts";
import { didYouMean } from "../../shared/suggest.ts";
import { type Deployment, isStarted } from "../flows/deployment.ts";
import type { FlowRegister } from "../flows/flow-register.ts";
import type { Runner } from "../runs/runner.ts";
import { invokedMessage, refuseQuarantined, requestOf, runToEnd } from "../runs/test-sessions/invoked-run.ts";
import type { GivenMessage, InvokeAnswer } from "../runs/test-sessions/test-service.ts";
import { metadataOf } from "./clock-ticks.ts";
import { isClock, type Timers } from "./timers.ts";

export interface RunNowParts {
  readonly register: Pick<FlowRegister, "get">;
  readonly runner: Pick<Runner, "start">;
  readonly timers: Pick<Timers, "join">;
  /** Returns the URL where the runtime listens. */
  url(): string;
}

export class RunNow {
  readonly #parts: RunNowParts;

  constructor(parts: RunNowParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the run is over. Throws AppErrors not_found, not_triggerable, flow_quarantined_locked, and run_timeout
   * for a run that took too long.
   */
  async begin(flowId: string, routeId: string, given: GivenMessage): Promise<InvokeAnswer> {
    const { runner, timers, url } = this.#parts;
    const deployment = this.#deployment(flowId);
    const { routeIndex, route } = routeOf(deployment, routeId);
    const { trigger } = route;
    if (!isClock(trigger) && !(trigger.kind === "source" && trigger.polls === true)) {
      throw new AppError("not_triggerable", `route '${routeId}' (${route.uri}) has no clock: ${wayTo(route, url())}`);
    }
    if (!isStarted(deployment, routeIndex)) {
      const state = deployment.states.get(routeIndex);
      throw new AppError("not_triggerable", `route '${routeId}' is ${state}: start it first`);
    }
    refuseQuarantined(deployment);
    const leave = timers.join(flowId, routeId);
    if (leave === undefined) {
      throw new AppError(
        "not_triggerable",
        `a run of route '${routeId}' is under way, and its overlap allows one at a time: wait for its end, or cancel it`,
      );
    }
    const { limits } = deployment;
    try {
      return await runToEnd(runner, {
        ...{ deployment, routeIndex },
        ...invokedMessage({ ...given, timeoutMs: limits.timerWallMs }, limits, firstOf(route)),
        trigger: { kind: "manual", uri: route.uri },
      });
    } finally {
      leave();
    }
  }

  /** Returns the flow's deployment. Throws not_found, and not_triggerable for a flow that does not run. */
  #deployment(flowId: string): Deployment {
    const entry = this.#parts.register.get(flowId);
    if (entry === undefined) throw new AppError("not_found", `there is no flow '${flowId}'`);
    const { deployment, state } = entry;
    if (deployment !== undefined) return deployment;
    throw new AppError("not_triggerable", `flow '${flowId}' is ${state}: start it first`);
  }
}

/** Returns what the exchange has before the given message: the same metadata as a tick's at this moment. */
function firstOf({ trigger }: RouteManifest): InvokeExtra {
  const now = Date.now();
  const tick = { count: 1, dueAt: now, previousAt: undefined, nextAt: undefined };
  return { ...(isClock(trigger) ? metadataOf(trigger, tick) : undefined), pattern: "InOnly" };
}

function routeOf(
  { flowId, manifest, routeIndexes }: Deployment,
  routeId: string,
): { readonly routeIndex: number; readonly route: RouteManifest } {
  const routeIndex = routeIndexes.get(routeId) ?? -1;
  const route = manifest.routes[routeIndex];
  if (route !== undefined) return { routeIndex, route };
  const near = didYouMean(
    routeId,
    manifest.routes.map(({ id }) => id),
  );
  throw new AppError("not_found", `flow '${flowId}' has no route '${routeId.slice(0, 200)}'${near}`);
}

/** Says how a route without a clock is begun. */
function wayTo({ id, uri, trigger }: RouteManifest, url: string): string {
  if (trigger.kind === "webhook" || trigger.kind === "http") return `send ${requestOf({ id, trigger }, url)}`;
  if (trigger.kind === "direct") return `call ${uri} from a route of its group, or by POST /_api/test/invoke`;
  return `send a message to ${uri}`;
}
