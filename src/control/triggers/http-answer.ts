/** Makes the HTTP answers for runs that have ended. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { BodyKind, Outcome } from "../../shared/protocol.ts";
import { errorAnswer, requestIdOf, sendError } from "../http/reply.ts";
import { refusedMessage } from "../runs/run-life.ts";
import type { RunningRun } from "../runs/running-run.ts";
import type { InvocationResult } from "../threads/invocation.ts";
import type { HttpClaim } from "./webhooks.ts";

const beyondAscii = /[\u0080-\uffff]/;
const plain = "text/plain; charset=utf-8";
/** Headers that the server sets itself, or that belong to one connection. */
const own = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const none: ReadonlySet<string> = new Set();

/** An answer to be sent; `headers` is a flat list that lacks only the request's own `X-Request-Id`. */
export interface Answer {
  readonly status: number;
  readonly headers: string[];
  /** null: there is no body. */
  readonly body: string | Uint8Array | null;
  /** The body's length in bytes. */
  readonly length: number;
}

/**
 * Makes the answer of a completed run. `claim`: the request is to the HTTP path of a route, for which no Content-Type is added (Camel's
 * platform-http).
 */
export function answerOf(run: RunningRun, result: InvocationResult, claim: HttpClaim | undefined): Answer {
  const { body, type } = contentOf(result);
  const status = result.httpStatus !== 0 ? result.httpStatus : body === null ? 204 : 200;
  const bodiless = body === null || status === 204 || status === 304;
  const headers: string[] = ["X-Run-Id", run.runId, "traceparent", traceparent(run)];
  const typed = addHeaders(headers, result.headers);
  const length = bodiless ? 0 : Buffer.byteLength(body);
  if (!bodiless && !typed && type !== undefined && claim === undefined) headers.push("Content-Type", type);
  if (status !== 204 && status !== 304) headers.push("Content-Length", String(length));
  if (bodiless) return { status, headers, body: null, length };
  // Node writes the head in the encoding of the text that it is sent with; a field value's bytes are Latin-1.
  if (typeof body === "string" && beyondAscii.test(result.headers)) {
    return { status, headers, body: Buffer.from(body), length };
  }
  return { status, headers, body, length };
}

/** Sends an answer. Throws TypeError for a header that cannot be sent. */
export function sendAnswer(response: ServerResponse, requestId: string, { status, headers, body }: Answer): void {
  headers.push("X-Request-Id", requestId);
  response.writeHead(status, headers);
  if (body === null) response.end();
  else response.end(body);
}

/** Answers for a run that did not complete. */
export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  run: RunningRun,
  result: InvocationResult | undefined,
  claim: HttpClaim | undefined,
): void {
  if (claim !== undefined && result?.outcome === Outcome.failed) {
    sendAnswer(response, requestIdOf(request), failureAnswer(run, result, claim));
    return;
  }
  sendRunError(request, response, run, errorOf(run, result));
}

/** Sends an error in place of the run's answer. */
export function sendRunError(
  request: IncomingMessage,
  response: ServerResponse,
  run: RunningRun,
  error: AppError,
): void {
  response.setHeader("X-Run-Id", run.runId);
  response.setHeader("traceparent", traceparent(run));
  run.record.httpStatus = error.status;
  sendError(request, response, error);
}

/**
 * The route's own status and headers, as Camel answers a failed route, with the runtime's body, which includes the
 * exception's message when `muteException` is false.
 */
function failureAnswer(run: RunningRun, result: InvocationResult, { http }: HttpClaim): Answer {
  const known = errorOf(run, result);
  const message = run.record.error?.message;
  const sent = http.muteException || message === undefined ? known : new AppError(known.code, message);
  const { body, headers: own } = errorAnswer(sent);
  const status = result.httpStatus === 0 ? known.status : result.httpStatus;
  const bodiless = status === 204 || status === 304;
  const headers: string[] = ["X-Run-Id", run.runId, "traceparent", traceparent(run)];
  addHeaders(headers, result.headers, new Set(["content-type", ...Object.keys(own).map((name) => name.toLowerCase())]));
  for (const [name, value] of Object.entries(own))
    if (!bodiless || !name.startsWith("Content-")) headers.push(name, value);
  run.record.httpStatus = status;
  // As bytes, so that the head is written as Latin-1.
  const bytes = bodiless ? null : Buffer.from(body);
  return { status, headers, body: bytes, length: bytes?.length ?? 0 };
}

/** Returns the body to send, null for none; `ok` when no step has written one. */
function contentOf({ bodyKind, body, httpStatus }: InvocationResult): {
  body: string | Uint8Array | null;
  type?: string;
} {
  if (bodyKind === BodyKind.unwritten)
    return { body: httpStatus === 204 || httpStatus === 304 ? null : "ok", type: plain };
  if (body === null || (httpStatus === 0 && isBlank(bodyKind, body))) return { body: null };
  // An empty body of bytes is a body, which an answer with 200 can have.
  if (body.length === 0) return { body: bodyKind === BodyKind.bytes ? "" : null };
  if (bodyKind === BodyKind.text || bodyKind === BodyKind.textBytes) return { body, type: plain };
  if (bodyKind === BodyKind.jsonBytes) return { body, type: "application/json" };
  if (bodyKind === BodyKind.bytes) return { body, type: "application/octet-stream" };
  const structured = bodyKind === BodyKind.json || /^[[{]/.test(body as string);
  return { body, type: structured ? "application/json" : plain };
}

/** Whether a text is nothing but white space. */
function isBlank(kind: BodyKind, body: string | Uint8Array): boolean {
  if (kind !== BodyKind.text && kind !== BodyKind.textBytes) return false;
  if (typeof body === "string") return body.trim() === "";
  // Most texts begin with another character, and are not decoded.
  return (body[0] ?? 0) <= 0x20 && Buffer.from(body).toString().trim() === "";
}

/**
 * Adds `name\nvalue\n...` to a flat list, without the headers that the server sets; returns whether a Content-Type was
 * added.
 */
function addHeaders(headers: string[], text: string, more: ReadonlySet<string> = none): boolean {
  if (text === "") return false;
  let typed = false;
  const parts = text.split("\n");
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const name = (parts[i] as string).toLowerCase();
    if (own.has(name) || more.has(name)) continue;
    typed ||= name === "content-type";
    headers.push(parts[i] as string, parts[i + 1] as string);
  }
  return typed;
}

/** The traceparent header (W3C Trace Context), with the run as the parent. */
export function traceparent({ traceId, spanId }: RunningRun): string {
  return `00-${traceId}-${spanId}-01`;
}

function errorOf(run: RunningRun, result: InvocationResult | undefined): AppError {
  const refused = refusedMessage(result?.outcome);
  if (refused !== undefined) return new AppError(refused.code, refused.message);
  const { record } = run;
  const { outcome, status } = record;
  if (run.retryAfterMs !== undefined) {
    const seconds = String(Math.ceil(run.retryAfterMs / 1000));
    return new AppError("flow_quarantined", "the flow is quarantined: it had to be killed too often", {
      "Retry-After": seconds,
    });
  }
  if (status === "shed")
    return new AppError("queue_full", "the flow's queue is full: try again later", { "Retry-After": "1" });
  if (status === "timeout")
    return new AppError("run_timeout", `the run ${run.runId} passed its wall-time limit: its record has its steps`);
  if (outcome === "redeploy")
    return new AppError("draining", `the deployment of the run ${run.runId} ended before the run did: try again`, {
      "Retry-After": "1",
    });
  if (status === "cancelled") return new AppError("run_cancelled", `the run ${run.runId} was cancelled`);
  if (status === "killed") {
    const { limit } = record;
    if (limit === null)
      return new AppError("run_killed", `the run ${run.runId} was lost with its thread: its record says why`);
    return new AppError(
      "run_killed",
      `the run ${run.runId} passed its limit ${limit.name}: its record says by how much`,
    );
  }
  return new AppError("run_failed", `the run ${run.runId} failed: its record says where and why`);
}

/** Returns 202 and the address of the run's record (RFC 9110 15.3.3), for those with the right to read it. */
export function acceptedAnswer(run: RunningRun): Answer {
  const body = JSON.stringify({ runId: run.runId, status: run.record.status });
  const headers = ["X-Run-Id", run.runId, "traceparent", traceparent(run), "Location", `/_api/runs/${run.runId}`];
  headers.push("Preference-Applied", "respond-async", "Content-Type", "application/json");
  headers.push("Content-Length", String(body.length));
  return { status: 202, headers, body, length: body.length };
}

/** Smaller byte arrays may share their memory with others, and V8 collects them soon. */
const worthIt = 64 * 1024;

/**
 * Frees a large answer, which lies outside of V8's heap. V8 collects it only when more memory is requested, so it would
 * stay for as long as the runtime has little to do. `bytes` are empty afterwards; their socket is closed, or has passed
 * all of them on.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < worthIt || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
