/** One request to a webhook: reads the body, starts the run, and sends the answer when the run ends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { newRunId } from "../../shared/ids.ts";
import { BodyKind, Outcome } from "../../shared/protocol.ts";
import type { Deployment } from "../flows/deployment.ts";
import { acceptBody } from "../http/pipeline.ts";
import { requestIdOf, sendError } from "../http/reply.ts";
import type { RunTrigger } from "../runs/run-record.ts";
import type { RunningRun, RunRequest } from "../runs/running-run.ts";
import type { ArmedMocks, InvocationResult } from "../threads/invocation.ts";
import { BodyReceiver } from "./body-receiver.ts";
import { type CallSurroundings, countBytes, joinSession, refuseAnswer, refuseBytes } from "./call-surroundings.ts";
import { GuardedCall } from "./guarded-call.ts";
import {
  type Answer,
  acceptedAnswer,
  answerOf,
  freeMemory,
  sendAnswer,
  sendFailure,
  sendRunError,
} from "./http-answer.ts";
import { bodyKindOf, claimedBodyOf, type InboundHead, readHead } from "./http-message.ts";
import { IdempotentCall } from "./idempotency.ts";
import { calledOf, type HttpClaim, type Webhook } from "./webhooks.ts";

/** The call is the request for the run, too, so that it costs one object and not five. */
export class WebhookCall extends BodyReceiver implements RunRequest {
  deployment: Deployment;
  routeIndex: number;
  trigger: RunTrigger;
  bodyKind: BodyKind = BodyKind.none;
  body: string | Uint8Array | null = null;
  deadline = 0;
  headers: string;
  readonly traceId: string | undefined;
  /** Of a call that is answered 202: its message is kept until its run has succeeded. */
  runId: string | undefined;
  failedId: string | undefined;
  mocks: readonly ArmedMocks[] | undefined;
  readonly #hook: Webhook;
  #claim: HttpClaim | undefined;
  readonly #head: InboundHead;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #around: CallSurroundings;
  /** The bytes that it counts as in flight: the body until the run is over, then the part of the answer that the caller has not read. */
  #bytes = 0;
  readonly #idempotent: IdempotentCall | undefined;
  /** Present: the flow has an access policy, or had one. */
  #guarded: GuardedCall | undefined;
  /** The credential headers that were left out of the message when its head was read. */
  readonly #withoutHeaders: ReadonlySet<string> | undefined;
  #refused = false;
  #run: RunningRun | undefined;
  /** The body of the run's answer, if this call may free its memory: not the kept answer of an earlier call, nor one that a test session keeps. */
  #sent: Answer["body"] = null;

  /** Throws bad_idempotency_key. */
  constructor(
    hook: Webhook,
    head: InboundHead,
    request: IncomingMessage,
    response: ServerResponse,
    around: CallSurroundings,
    guarded: GuardedCall | undefined,
  ) {
    super();
    this.deployment = hook.deployment;
    this.routeIndex = hook.routeIndex;
    this.trigger = hook.trigger;
    this.headers = head.headers;
    this.traceId = head.traceId;
    this.#hook = hook;
    this.#claim = hook.claim;
    this.#head = head;
    this.#request = request;
    this.#response = response;
    this.#around = around;
    this.#guarded = guarded;
    this.#withoutHeaders = guarded?.credentialHeaders;
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

  /** Called once by the runner: sends the answer. */
  ended(run: RunningRun, result: InvocationResult | undefined): void {
    this.#giveBack();
    if (run.record.status === "shed") this.#guarded?.turnedAway();
    else this.#guarded?.answered();
    this.body = null;
    const response = this.#response;
    const waited = !response.destroyed && !response.headersSent;
    if (!waited && this.#idempotent === undefined) return;
    try {
      const answer = result?.outcome === Outcome.ok ? answerOf(run, result, this.#claim) : undefined;
      this.#idempotent?.ended(answer, run.runId);
      if (!waited) return;
      if (answer === undefined) sendFailure(this.#request, response, run, result, this.#claim);
      else this.#sendIfRoom(run, answer);
      this.#holdUnread();
    } catch (error) {
      sendError(this.#request, response, error);
    }
  }

  #data(chunk: Buffer): void {
    if (this.#refused) return;
    const { total } = this.#around;
    try {
      refuseBytes(this.#hook.deployment, total, chunk.length, this.#bytes, this.#guarded?.signed);
    } catch (error) {
      this.#refused = true;
      this.dropBody();
      // The rest of the body is discarded, and the connection is not used again.
      this.#response.setHeader("Connection", "close");
      sendError(this.#request, this.#response, error);
      return;
    }
    this.#count(chunk.length);
    this.#idempotent?.received(chunk);
    this.addToBody(chunk);
  }

  /** Called when the body has arrived. */
  #start(): void {
    if (this.#refused) {
      // The caller has disconnected while keys were fetched: the decision is of no use any more.
      this.#guarded?.turnedAway();
      return;
    }
    try {
      const now = this.#around.current(this.#hook, this.#request);
      const decided = this.#decided(now);
      if (decided === undefined) this.#go(now);
      // The flow and its policy may have changed meanwhile: starts again, with the decision that was made.
      else decided.then(() => this.#start()).catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Lets the access policy decide. Throws AppError, or rejects with it. */
  #decided(now: Webhook): void | Promise<void> {
    const { guard } = this.#around;
    if (this.#guarded === undefined && guard.policy(now.deployment.flowId) === undefined) return undefined;
    const called = calledOf(now);
    this.#guarded ??= new GuardedCall(guard, called, this.#request, this.#response);
    return this.#guarded.whole(called, this.wholeBody());
  }

  /** Starts the run, or repeats an earlier answer: nothing refuses the caller any more. Throws AppError. */
  #go(now: Webhook): void {
    this.#follow(now);
    this.trigger = now.trigger;
    if (this.#guarded !== undefined) this.#introduce(this.#guarded);
    if (this.#head.testSession !== undefined)
      this.mocks = joinSession(this.#around, this.#head.testSession, this.#idempotent !== undefined);
    if (this.#idempotent !== undefined && this.#repeats(this.#idempotent)) return;
    const read = now.claim === undefined ? bodyKindOf : claimedBodyOf;
    const { kind, content } = read(this.wholeBody() ?? null, this.#head.contentType, this.#request.method);
    this.bodyKind = kind;
    this.body = content;
    this.deadline = Date.now() + now.deployment.limits.webhookWallMs;
    this.dropBody();
    if (this.#head.respondAsync && this.mocks === undefined && this.#around.failed.keepsAccepted(now.deployment))
      this.#keep(now).catch((error: unknown) => this.#fail(error));
    else this.#begin();
  }

  #follow({ deployment, routeIndex, claim }: Webhook): void {
    this.deployment = deployment;
    this.routeIndex = routeIndex;
    this.#claim = claim;
  }

  #begin(): void {
    this.#run = this.#around.runner.start(this);
    // A run that was shed or refused is over, and answered, by now.
    if (this.#head.respondAsync && this.#run.record.status === "running") this.#accept(this.#run);
  }

  /** Makes the message durable before its run begins, and so before the caller is answered. */
  async #keep(hook: Webhook): Promise<void> {
    const { failed, current } = this.#around;
    const runId = newRunId();
    const id = await failed.accept(this, runId);
    try {
      if (this.#refused) throw new AppError("bad_request", "the caller has disconnected");
      // The flow may have been replaced meanwhile: then its new deployment runs the message.
      this.#follow(current(hook, this.#request));
      this.runId = runId;
      this.failedId = id;
      this.#begin();
    } catch (error) {
      failed.withdraw(hook.deployment, id);
      throw error;
    }
  }

  #fail(error: unknown): void {
    this.#idempotent?.dropped();
    if (!this.#refused) sendError(this.#request, this.#response, error);
  }

  /** Puts the caller's name into the message and the run's record, and leaves its credentials out of the message. */
  #introduce(guarded: GuardedCall): void {
    const { credentialHeaders, name } = guarded;
    if (credentialHeaders !== this.#withoutHeaders) {
      this.headers = readHead(this.#request, this.#around.isDeployToken, this.#claim, credentialHeaders).headers;
    }
    this.headers += guarded.headers;
    if (name !== undefined) this.trigger = { ...this.trigger, principal: name };
  }

  /** Returns whether the call was made before with this key, and if so answers it. Throws AppError. */
  #repeats(call: IdempotentCall): boolean {
    const answer = call.begin({ ...calledOf(this), principal: this.#guarded?.keyOwner });
    if (answer === undefined) return false;
    this.#guarded?.answered();
    this.#refuseAnswer(answer);
    this.dropBody();
    this.#answer(this.#head.requestId ?? requestIdOf(this.#request), answer);
    this.#holdUnread();
    return true;
  }

  #accept(run: RunningRun): void {
    const answer = acceptedAnswer(run);
    this.#idempotent?.accepted(answer);
    this.#send(run, answer);
  }

  /** Sends the answer, or an error if there is no room for it: the run stays completed. */
  #sendIfRoom(run: RunningRun, answer: Answer): void {
    try {
      this.#refuseAnswer(answer);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      sendRunError(this.#request, this.#response, run, error);
      return;
    }
    this.#send(run, answer);
  }

  /** Throws answer_not_sent when there is no room for an answer of this length. */
  #refuseAnswer({ length }: Answer): void {
    if (this.#request.method !== "HEAD") refuseAnswer(this.#hook.deployment, this.#around.total, length);
  }

  #send(run: RunningRun, answer: Answer): void {
    run.record.httpStatus = answer.status;
    run.record.bytesOut = answer.length;
    if (run.mocks === undefined) this.#sent = answer.body;
    this.#answer(this.#head.requestId ?? run.runId, answer);
  }

  #answer(requestId: string, answer: Answer): void {
    const headers = this.#guarded?.answerHeaders(answer.headers);
    sendAnswer(this.#response, requestId, headers === undefined ? answer : { ...answer, headers });
  }

  /** Called once, when the answer was sent or the caller has disconnected. A run under way is cancelled, unless its id or an idempotency key can be used to get its answer. */
  #closed(): void {
    const run = this.#run;
    if (run === undefined) {
      this.#refused = true;
      this.#guarded?.turnedAway();
    } else if (run.record.status === "running") {
      if (!this.#head.respondAsync && this.#idempotent === undefined) run.cancel("client_gone", "its caller is gone");
      return;
    }
    this.#giveBack();
    if (this.#sent instanceof Uint8Array) freeMemory(this.#sent);
  }

  /** Counts the bytes of the answer that wait in memory until the caller reads them, or is cut off. */
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
