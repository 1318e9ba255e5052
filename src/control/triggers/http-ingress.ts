/**
 * Takes requests other than the management API's: request -> run -> reply. This is the hot path: it decides what it can
 * from the request line and the headers.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { isStarted } from "../flows/deployment.ts";
import type { FlowRegister } from "../flows/flow-register.ts";
import { sendError } from "../http/reply.ts";
import { parseTarget } from "../http/target.ts";
import type { FailedKeeper } from "../runs/failed/failed-keeper.ts";
import type { Runner } from "../runs/runner.ts";
import type { ArmedMocks } from "../threads/invocation.ts";
import type { CallSurroundings } from "./call-surroundings.ts";
import { refuseBytes, type TotalBytes } from "./call-surroundings.ts";
import { answerFrontPage } from "./front-page.ts";
import { type Called, GuardedCall } from "./guarded-call.ts";
import { readHead, refuseHeaders } from "./http-message.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { PolicyGuard } from "./policy-guard.ts";
import { answerPreflight, isPreflight } from "./policy-guard.ts";
import { WebhookCall } from "./webhook-call.ts";
import { calledOf, claimedHook, type Webhook, type Webhooks } from "./webhooks.ts";

export interface IngressOptions {
  readonly webhooks: Webhooks;
  readonly runner: Runner;
  readonly failed: Pick<FailedKeeper, "keepsAccepted" | "accept" | "withdraw">;
  readonly register: FlowRegister;
  readonly keys: IdempotencyKeys;
  readonly guard: PolicyGuard;
  /** The count of bytes in flight, which the ingress keeps and other parts read. */
  readonly total: TotalBytes;
  /** Returns the test session that a request names. Throws session_closed. */
  joined(sessionId: string): readonly ArmedMocks[];
  /** Throws overloaded while the process is short of memory. */
  refuseOverload(): void;
  /** Whether a header's value carries the deploy token, which no flow may see. */
  isDeployToken(value: string): boolean;
}

/** A route that does not accept the request; only callers who may call it get the reason. */
interface Refusal extends Called {
  readonly error: AppError;
}

export class HttpIngress {
  readonly #options: IngressOptions;
  readonly #around: CallSurroundings;

  constructor(options: IngressOptions) {
    this.#options = options;
    this.#around = {
      runner: options.runner,
      failed: options.failed,
      total: options.total,
      keys: options.keys,
      guard: options.guard,
      joined: options.joined,
      isDeployToken: options.isDeployToken,
      current: (hook, request) => this.#findCurrent(hook, request),
    };
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    try {
      const place = this.#findPlace(request);
      if (place === undefined) {
        answerFrontPage(response);
        return;
      }
      const flowId = "error" in place ? place.flowId : place.deployment.flowId;
      if (this.#options.guard.policy(flowId) === undefined) this.#admit(place, request, response, undefined);
      else this.#askPolicy(place, request, response);
    } catch (error) {
      sendError(request, response, error);
    }
  }

  /**
   * Finds the route. A path exactly as a webhook has it is in normal form, so it is not parsed. undefined: no flow
   * claims `/`, which is asked for.
   */
  #findPlace(request: IncomingMessage): Webhook | Refusal | undefined {
    return this.#options.webhooks.at(request.url as string) ?? this.#find(request);
  }

  /** Throws bad_target and not_found, and route_starting while it is not known which routes exist. */
  #find(request: IncomingMessage): Webhook | Refusal | undefined {
    const target = parseTarget(request.url as string);
    if ("problem" in target) throw new AppError("bad_target", target.problem);
    const { webhooks, register } = this.#options;
    const hook = webhooks.at(target.path);
    if (hook !== undefined) return hook;
    const match = webhooks.claimed.find(target, request);
    if (match !== undefined) {
      if (!("error" in match)) return claimedHook(match, target, request);
      return { ...calledOf(match.route), error: match.error };
    }
    const webhook = target.path.startsWith("/api/") ? register.webhook(target.path.slice("/api/".length)) : undefined;
    const owner = webhook ?? register.atPath(target.segments);
    if (owner !== undefined) return { ...owner, error: owner.status === "Starting" ? startingError() : stoppedError() };
    if (register.loading) throw startingError();
    if (target.path === "/" && request.method === "GET") return undefined;
    throw noRoute(this.#webhooksOf(target.path));
  }

  /** The webhooks of the flow whose id stands where the id of a route belongs. A flow with a policy names none to strangers. */
  #webhooksOf(path: string): readonly string[] {
    const flowId = path.startsWith("/api/") ? path.slice("/api/".length) : "";
    const routes = this.#options.register.get(flowId)?.manifest?.routes ?? [];
    if (this.#options.guard.policy(flowId) !== undefined) return [];
    return routes.flatMap(({ id, trigger }) => (trigger.kind === "webhook" ? [`/api/${id}`] : []));
  }

  /** Lets the flow's policy decide, before anything else of the request is read. */
  #askPolicy(place: Webhook | Refusal, request: IncomingMessage, response: ServerResponse): void {
    const { guard } = this.#options;
    const called = "error" in place ? place : calledOf(place);
    const cors = guard.policy(called.flowId)?.cors;
    if (cors !== undefined && isPreflight(request)) {
      answerPreflight(cors, request, response);
      return;
    }
    const call = new GuardedCall(guard, called, request, response);
    const decided = call.head();
    if (decided === undefined) this.#admit(place, request, response, call);
    // The routes may have changed meanwhile.
    else
      decided
        .then(() => {
          if (response.destroyed) call.leave();
          else this.#admit(this.#foundAgain(request), request, response, call);
        })
        .catch((error: unknown) => {
          call.leave();
          if (!response.destroyed) sendError(request, response, error);
        });
  }

  #admit(
    place: Webhook | Refusal,
    request: IncomingMessage,
    response: ServerResponse,
    call: GuardedCall | undefined,
  ): void {
    try {
      if ("error" in place) throw place.error;
      const { claim, deployment } = place;
      refuseUnlessTaken(place, request);
      this.#options.refuseOverload();
      const head = readHead(request, this.#options.isDeployToken, claim, call?.credentialHeaders);
      if (head.contentEncoding !== undefined && head.contentEncoding !== "identity") {
        throw new AppError("unsupported_media_type", "send the body without Content-Encoding", {
          "Accept-Encoding": "identity",
        });
      }
      refuseHeaders(head.headers, deployment.limits.headerCount);
      refuseBytes(deployment, this.#around.total, head.contentLength, 0, call?.signed);
      new WebhookCall(place, head, request, response, this.#around, call).receive();
    } catch (error) {
      call?.leave();
      throw error;
    }
  }

  /** Finds the route of a call that has begun. Throws not_found. */
  #foundAgain(request: IncomingMessage): Webhook | Refusal {
    const place = this.#findPlace(request);
    if (place === undefined) throw noRoute();
    return place;
  }

  /**
   * Finds the route again once the body is there: the flow may have been replaced, and then its new deployment answers,
   * or removed.
   */
  #findCurrent({ path }: Webhook, request: IncomingMessage): Webhook {
    const now = this.#options.webhooks.at(path) ?? this.#foundAgain(request);
    if ("error" in now) throw now.error;
    refuseUnlessTaken(now, request);
    return now;
  }
}

function refuseUnlessTaken({ claim, deployment, routeIndex }: Webhook, request: IncomingMessage): void {
  if (claim === undefined && request.method !== "POST") {
    throw new AppError("method_not_allowed", "a webhook takes POST", { Allow: "POST" });
  }
  if (!isStarted(deployment, routeIndex)) throw stoppedError();
}

/** The most addresses that an answer names. */
const mostNamed = 5;

/** `instead`: addresses that are probably meant. */
function noRoute(instead: readonly string[] = []): AppError {
  const hint =
    instead.length === 0
      ? ""
      : `: a webhook's path has the id of its route, and the flow of this id has ${instead.slice(0, mostNamed).join(", ")}`;
  return new AppError("not_found", `no route answers this path${hint}`);
}

function stoppedError(): AppError {
  return new AppError("route_stopped", "the route is stopped", { "Retry-After": "30" });
}

function startingError(): AppError {
  return new AppError("route_starting", "the route is starting", { "Retry-After": "1" });
}
