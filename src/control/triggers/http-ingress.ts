/** What is not the management API: request -> run -> reply. The hot path: what can be decided from the request line and headers is. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { isStarted } from "../flows/deployment.ts";
import type { FlowRegister } from "../flows/flow-register.ts";
import { sendError } from "../http/reply.ts";
import { parseTarget } from "../http/target.ts";
import type { Runner } from "../runs/runner.ts";
import { refuseBytes, type TotalBytes } from "./byte-count.ts";
import { claimedHook } from "./http-claim.ts";
import { readHead } from "./http-message.ts";
import type { IdempotencyKeys } from "./idempotency-keys.ts";
import { type CallSurroundings, WebhookCall } from "./webhook-call.ts";
import type { Webhook, Webhooks } from "./webhooks.ts";

export interface IngressOptions {
  readonly webhooks: Webhooks;
  readonly runner: Runner;
  readonly register: FlowRegister;
  readonly keys: IdempotencyKeys;
  /** Counted here; other parts read it. */
  readonly total: TotalBytes;
  /** Whether an Authorization header carries the deploy token, which no flow may see. */
  isDeployToken(value: string): boolean;
}

export class HttpIngress {
  readonly #options: IngressOptions;
  readonly #around: CallSurroundings;

  constructor(options: IngressOptions) {
    this.#options = options;
    this.#around = {
      runner: options.runner,
      total: options.total,
      keys: options.keys,
      current: (hook, request) => this.#current(hook, request),
    };
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    try {
      // A path exactly as a webhook has it is in normal form, so it needs no parse.
      const hook = this.#options.webhooks.at(request.url as string) ?? this.#find(request);
      this.#admit(hook, request, response);
    } catch (error) {
      sendError(request, response, error);
    }
  }

  #find(request: IncomingMessage): Webhook {
    const target = parseTarget(request.url as string);
    if ("problem" in target) throw new AppError("bad_target", target.problem);
    const { webhooks, register } = this.#options;
    const hook = webhooks.at(target.path);
    if (hook !== undefined) return hook;
    const match = webhooks.claimed.find(target, request);
    if (match !== undefined) return claimedHook(match, target, request);
    const webhook = target.path.startsWith("/api/")
      ? register.webhookStatus(target.path.slice("/api/".length))
      : undefined;
    const status = webhook ?? register.pathStatus(target.segments);
    if (status === "Starting" || (status === undefined && register.loading)) {
      throw new AppError("route_starting", "the route is starting", { "Retry-After": "1" });
    }
    if (status !== undefined) throw stopped();
    throw new AppError("not_found", "no route answers this path");
  }

  #admit(hook: Webhook, request: IncomingMessage, response: ServerResponse): void {
    refuseUnlessTaken(hook, request);
    const head = readHead(request, this.#options.isDeployToken, hook.claim);
    if (head.contentEncoding !== undefined && head.contentEncoding !== "identity") {
      throw new AppError("unsupported_media_type", "send the body without Content-Encoding", {
        "Accept-Encoding": "identity",
      });
    }
    refuseBytes(hook.deployment, this.#around.total, head.contentLength);
    new WebhookCall(hook, head, request, response, this.#around).receive();
  }

  /** The flow may have been replaced while the body came in: the new deployment answers. It may have gone, too. */
  #current({ path }: Webhook, request: IncomingMessage): Webhook {
    const now = this.#options.webhooks.at(path) ?? this.#find(request);
    refuseUnlessTaken(now, request);
    return now;
  }
}

function refuseUnlessTaken({ claim, deployment, routeIndex }: Webhook, { method }: IncomingMessage): void {
  if (method !== "POST" && claim === undefined) {
    throw new AppError("method_not_allowed", "a webhook takes POST", { Allow: "POST" });
  }
  if (!isStarted(deployment, routeIndex)) throw stopped();
}

function stopped(): AppError {
  return new AppError("route_stopped", "the route is stopped", { "Retry-After": "30" });
}
