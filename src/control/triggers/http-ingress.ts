/** `POST /api/<route id>`: request -> run -> reply. The hot path: what can be decided from the request line and headers is. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { FlowRegister } from "../flows/flow-register.ts";
import { sendError } from "../http/reply.ts";
import { parseTarget } from "../http/target.ts";
import type { Runner } from "../runs/runner.ts";
import { refuseBytes } from "./byte-count.ts";
import { readHead } from "./http-message.ts";
import { type CallSurroundings, WebhookCall } from "./webhook-call.ts";
import type { Webhook, Webhooks } from "./webhooks.ts";

export interface IngressOptions {
  readonly webhooks: Webhooks;
  readonly runner: Runner;
  readonly register: FlowRegister;
  readonly limits: Limits;
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
      total: { bytesInFlight: 0, most: options.limits.totalBytesInFlight },
      current: (hook) => this.#current(hook),
    };
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    try {
      // A path exactly as a webhook has it is in normal form, so it needs no parse.
      const hook = this.#options.webhooks.at(request.url as string) ?? this.#find(request.url as string);
      this.#admit(hook, request, response);
    } catch (error) {
      sendError(request, response, error);
    }
  }

  #find(url: string): Webhook {
    const target = parseTarget(url);
    if ("problem" in target) throw new AppError("bad_target", target.problem);
    const { webhooks, register } = this.#options;
    const hook = webhooks.at(target.path);
    if (hook !== undefined) return hook;
    const status = target.path.startsWith("/api/")
      ? register.webhookStatus(target.path.slice("/api/".length))
      : undefined;
    if (status === "Starting" || (status === undefined && register.loading)) {
      throw new AppError("route_starting", "the route is starting", { "Retry-After": "1" });
    }
    if (status !== undefined) throw stopped();
    throw new AppError("not_found", "no route answers this path");
  }

  #admit(hook: Webhook, request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "POST") throw new AppError("method_not_allowed", "a webhook takes POST", { Allow: "POST" });
    if (!hook.started) throw stopped();
    const head = readHead(request, this.#options.isDeployToken);
    if (head.contentEncoding !== undefined && head.contentEncoding !== "identity") {
      throw new AppError("unsupported_media_type", "send the body without Content-Encoding", {
        "Accept-Encoding": "identity",
      });
    }
    if (head.respondAsync || head.idempotencyKey !== undefined) {
      const asked = head.respondAsync ? "Prefer: respond-async" : "Idempotency-Key";
      throw new AppError("not_implemented", `webhooks do not understand '${asked}' yet: send the request without it`);
    }
    refuseBytes(hook.deployment, this.#around.total, head.contentLength);
    new WebhookCall(hook, head, request, response, this.#around).receive();
  }

  /** The flow may have been replaced while the body came in: the new deployment answers. It may have gone, too. */
  #current({ path }: Webhook): Webhook {
    const now = this.#options.webhooks.at(path) ?? this.#find(path);
    if (!now.started) throw stopped();
    return now;
  }
}

function stopped(): AppError {
  return new AppError("route_stopped", "the route is stopped", { "Retry-After": "30" });
}
