/** One request to a webhook on its way: its body is read, it becomes a run, and it is answered when the run ends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { InvocationResult } from "../../shared/invocation.ts";
import { BodyKind, Outcome } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import { acceptBody } from "../http/expect.ts";
import { requestIdOf, sendError } from "../http/reply.ts";
import type { RunTrigger } from "../runs/run-record.ts";
import type { Runner, RunningRun, RunRequest } from "../runs/runner.ts";
import { BodyParts } from "./body-parts.ts";
import { countBytes, refuseBytes, type TotalBytes } from "./byte-count.ts";
import { claimedBodyOf } from "./claimed-body.ts";
import { type Answer, answerOf, sendAnswer, sendFailure } from "./http-answer.ts";
import type { HttpClaim } from "./http-claim.ts";
import { bodyKindOf, type InboundHead, traceIdOf } from "./http-message.ts";
import type { IdempotencyKeys } from "./idempotency-keys.ts";
import { IdempotentCall } from "./idempotent-call.ts";
import { acceptedAnswer } from "./respond-async.ts";
import type { Webhook } from "./webhooks.ts";

/** What all calls share. */
export interface CallSurroundings {
  readonly runner: Runner;
  readonly total: TotalBytes;
  readonly keys: IdempotencyKeys;
  /** Who answers for the path now: the flow may be replaced, stopped or gone while a body comes in. Throws AppError. */
  current(hook: Webhook, request: IncomingMessage): Webhook;
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
  #claim: HttpClaim | undefined;
  readonly #head: InboundHead;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #around: CallSurroundings;
  #first: Buffer | undefined;
  #more: BodyParts | undefined;
  /** Bytes that count as in flight: the body, until the run is over; then what of the answer has not been read. */
  #bytes = 0;
  readonly #idempotent: IdempotentCall | undefined;
  #refused = false;
  #run: RunningRun | undefined;

  /** Throws bad_idempotency_key. */
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
    this.#claim = hook.claim;
    this.#head = head;
    this.#request = request;
    this.#response = response;
    this.#around = around;
    if (head.idempotencyKey !== undefined)
      this.#idempotent = new IdempotentCall(around.keys, head.idempotencyKey, request);
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
    this.body = null;
    const response = this.#response;
    const waited = !response.destroyed && !response.headersSent;
    if (!waited && this.#idempotent === undefined) return;
    try {
      const answer = result?.outcome === Outcome.ok ? answerOf(run, result, this.#claim) : undefined;
      this.#idempotent?.ended(answer, run.runId);
      if (!waited) return;
      if (answer === undefined) sendFailure(this.#request, response, run, result, this.#claim);
      else this.#send(run, answer);
      this.#holdUnread();
    } catch (error) {
      sendError(this.#request, response, error);
    }
  }

  #data(chunk: Buffer): void {
    if (this.#refused) return;
    const { total } = this.#around;
    try {
      refuseBytes(this.#hook.deployment, total, chunk.length, this.#bytes);
    } catch (error) {
      this.#refused = true;
      this.#first = undefined;
      this.#more = undefined;
      // What is still on its way is thrown away, and the connection is not used again.
      this.#response.setHeader("Connection", "close");
      sendError(this.#request, this.#response, error);
      return;
    }
    this.#count(chunk.length);
    this.#idempotent?.received(chunk);
    if (this.#more !== undefined) this.#more.add(chunk);
    else if (this.#first === undefined) this.#first = chunk;
    else {
      this.#more = new BodyParts();
      this.#more.add(this.#first);
      this.#more.add(chunk);
    }
  }

  #start(): void {
    if (this.#refused) return;
    try {
      const now = this.#around.current(this.#hook, this.#request);
      this.deployment = now.deployment;
      this.routeIndex = now.routeIndex;
      this.trigger = now.trigger;
      this.#claim = now.claim;
      if (this.#idempotent !== undefined && this.#repeats(this.#idempotent)) return;
      const whole = this.#more === undefined ? (this.#first ?? null) : this.#more.whole();
      const type = this.#head.contentType;
      const { kind, content } =
        now.claim === undefined ? bodyKindOf(whole, type) : claimedBodyOf(whole, type, this.#request.method);
      this.bodyKind = kind;
      this.body = content;
      this.deadline = Date.now() + now.deployment.limits.webhookWallMs;
      this.#first = undefined;
      this.#more = undefined;
      this.#run = this.#around.runner.start(this);
      // A run that was shed or refused is over, and answered, by now.
      if (this.#head.respondAsync && this.#run.record.status === "running") this.#accept(this.#run);
    } catch (error) {
      this.#idempotent?.dropped();
      sendError(this.#request, this.#response, error);
    }
  }

  /** Whether the call had been made before under its key: then it is answered. Comes after all that may refuse the caller. Throws AppError. */
  #repeats(call: IdempotentCall): boolean {
    const { deployment, routeIndex, trigger } = this;
    const routeId = deployment.manifest.routes[routeIndex]?.id ?? "";
    const answer = call.begin({ flowId: deployment.flowId, routeId, principal: trigger.principal });
    if (answer === undefined) return false;
    this.#first = undefined;
    this.#more = undefined;
    sendAnswer(this.#response, this.#head.requestId ?? requestIdOf(this.#request), answer);
    this.#holdUnread();
    return true;
  }

  #accept(run: RunningRun): void {
    const answer = acceptedAnswer(run);
    this.#idempotent?.accepted(answer);
    this.#send(run, answer);
  }

  #send(run: RunningRun, answer: Answer): void {
    run.record.httpStatus = answer.status;
    run.record.bytesOut = answer.length;
    sendAnswer(this.#response, this.#head.requestId ?? run.runId, answer);
  }

  /** The answer is out, or the caller has hung up: then nobody waits for the run, but who has its id or its key. Comes once, always. */
  #closed(): void {
    const run = this.#run;
    if (run === undefined) this.#refused = true;
    else if (run.record.status === "running") {
      if (!this.#head.respondAsync && this.#idempotent === undefined) run.cancel("client_gone", "its caller is gone");
      return;
    }
    this.#giveBack();
  }

  /** What the socket does not take at once waits in memory until its reader takes it, or the door cuts it off. */
  #holdUnread(): void {
    const unread = this.#response.writableLength;
    if (unread > 0) this.#count(unread);
  }

  #count(bytes: number): void {
    countBytes(this.#hook.deployment.bytes, this.#around.total, bytes);
    this.#bytes += bytes;
  }

  #giveBack(): void {
    if (this.#bytes > 0) this.#count(-this.#bytes);
  }
}
