/** One request to a webhook on its way: its body is read, it becomes a run, and it is answered when the run ends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { InvocationResult } from "../../shared/invocation.ts";
import { BodyKind } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import { acceptBody } from "../http/expect.ts";
import { sendError } from "../http/reply.ts";
import type { RunTrigger } from "../runs/run-record.ts";
import type { Runner, RunningRun, RunRequest } from "../runs/runner.ts";
import { type ByteCount, countBytes, refuseBytes } from "./byte-count.ts";
import { webhookAnswer } from "./http-answer.ts";
import { bodyKindOf, type InboundHead, traceIdOf } from "./http-message.ts";
import type { Webhook } from "./webhooks.ts";

/** What all calls share. */
export interface CallSurroundings {
  readonly runner: Runner;
  readonly total: ByteCount;
  /** Who answers for the path now: the flow may be replaced, stopped or gone while a body comes in. Throws AppError. */
  current(hook: Webhook): Webhook;
}

/** It is the request for a run itself, so that a call costs one object and not five. */
export class WebhookCall implements RunRequest {
  deployment: Deployment;
  routeIndex: number;
  trigger: RunTrigger;
  bodyKind: BodyKind = BodyKind.none;
  body: string | Uint8Array | null = null;
  deadline = 0;
  readonly headers: string;
  readonly traceId: string | undefined;
  readonly #hook: Webhook;
  readonly #head: InboundHead;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #around: CallSurroundings;
  #first: Buffer | undefined;
  #more: Buffer[] | undefined;
  /** Bytes that count as in flight; they count where they arrived, also when the flow has been replaced since. */
  #bytes = 0;
  #refused = false;
  #run: RunningRun | undefined;

  constructor(
    hook: Webhook,
    head: InboundHead,
    request: IncomingMessage,
    response: ServerResponse,
    around: CallSurroundings,
  ) {
    this.deployment = hook.deployment;
    this.routeIndex = hook.routeIndex;
    this.trigger = hook.trigger;
    this.headers = head.headers;
    this.traceId = traceIdOf(head.traceparent);
    this.#hook = hook;
    this.#head = head;
    this.#request = request;
    this.#response = response;
    this.#around = around;
  }

  /** Reads the body, whose bytes count from their arrival on, then starts the run. */
  receive(): void {
    acceptBody(this.#response);
    this.#request.on("data", (chunk: Buffer) => this.#data(chunk));
    this.#request.on("end", () => this.#start());
    this.#response.on("close", () => this.#closed());
  }

  /** Told by the runner, once. */
  ended(run: RunningRun, result: InvocationResult | undefined): void {
    this.#giveBack();
    if (this.#response.destroyed) return;
    try {
      webhookAnswer(this.#request, this.#response, this.#head.requestId, run, result);
    } catch (error) {
      sendError(this.#request, this.#response, error);
    }
  }

  #data(chunk: Buffer): void {
    if (this.#refused) return;
    const { total } = this.#around;
    try {
      refuseBytes(this.#hook.deployment, total, chunk.length, this.#bytes);
    } catch (error) {
      this.#giveBack();
      this.#refused = true;
      this.#first = undefined;
      this.#more = undefined;
      // What is still on its way is thrown away, and the connection is not used again.
      this.#response.setHeader("Connection", "close");
      sendError(this.#request, this.#response, error);
      return;
    }
    this.#bytes += chunk.length;
    countBytes(this.#hook.deployment, total, chunk.length);
    if (this.#first === undefined) this.#first = chunk;
    else {
      this.#more ??= [this.#first];
      this.#more.push(chunk);
    }
  }

  #start(): void {
    if (this.#refused) return;
    try {
      const now = this.#around.current(this.#hook);
      const whole = this.#more === undefined ? (this.#first ?? null) : Buffer.concat(this.#more, this.#bytes);
      const { kind, content } = bodyKindOf(whole, this.#head.contentType);
      this.deployment = now.deployment;
      this.routeIndex = now.routeIndex;
      this.trigger = now.trigger;
      this.bodyKind = kind;
      this.body = content;
      this.deadline = Date.now() + now.deployment.limits.webhookWallMs;
      this.#first = undefined;
      this.#more = undefined;
      this.#run = this.#around.runner.start(this);
    } catch (error) {
      this.#giveBack();
      sendError(this.#request, this.#response, error);
    }
  }

  /** The answer is out, or the caller has hung up: then nobody waits for the run. */
  #closed(): void {
    if (this.#run === undefined) {
      this.#refused = true;
      this.#giveBack();
    } else this.#run.cancel("client_gone", "its caller is gone");
  }

  #giveBack(): void {
    if (this.#bytes > 0) countBytes(this.#hook.deployment, this.#around.total, -this.#bytes);
    this.#bytes = 0;
  }
}
