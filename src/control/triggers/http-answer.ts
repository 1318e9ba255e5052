/** A run's end as an HTTP answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import type { InvocationResult } from "../../shared/invocation.ts";
import { BodyKind, Outcome } from "../../shared/protocol.ts";
import { sendError } from "../http/reply.ts";
import type { RunningRun } from "../runs/runner.ts";

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

export function webhookAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string | undefined,
  run: RunningRun,
  result: InvocationResult | undefined,
): void {
  if (result === undefined || result.outcome !== Outcome.ok) {
    response.setHeader("X-Run-Id", run.runId);
    response.setHeader("traceparent", traceparent(run));
    const error = errorOf(run, result);
    run.record.httpStatus = error.status;
    sendError(request, response, error);
    return;
  }
  const { body, type } = contentOf(result);
  const status = result.httpStatus !== 0 ? result.httpStatus : body === null ? 204 : 200;
  const bodiless = body === null || status === 204 || status === 304;
  const { runId } = run;
  const headers: string[] = ["X-Request-Id", requestId ?? runId, "X-Run-Id", runId, "traceparent", traceparent(run)];
  const typed = addHeaders(headers, result.headers);
  if (!bodiless) {
    if (!typed && type !== undefined) headers.push("Content-Type", type);
    headers.push("Content-Length", String(Buffer.byteLength(body)));
  } else if (status !== 204 && status !== 304) headers.push("Content-Length", "0");
  run.record.httpStatus = status;
  run.record.bytesOut = bodiless ? 0 : Buffer.byteLength(body);
  response.writeHead(status, headers);
  if (bodiless) response.end();
  // Node writes the head in the encoding of a text that it is sent with; a field value's bytes are Latin-1.
  else if (typeof body === "string" && beyondAscii.test(result.headers)) response.end(Buffer.from(body));
  else response.end(body);
}

/** The body as sent, null for none; `ok` when no step wrote one (spec: a fresh flow answers `ok`). */
function contentOf({ bodyKind, body, httpStatus }: InvocationResult): {
  body: string | Uint8Array | null;
  type?: string;
} {
  if (bodyKind === BodyKind.unwritten)
    return { body: httpStatus === 204 || httpStatus === 304 ? null : "ok", type: plain };
  if (body === null || body.length === 0) return { body: null };
  if (bodyKind === BodyKind.text) return { body, type: plain };
  if (bodyKind === BodyKind.bytes) return { body, type: "application/octet-stream" };
  const structured = bodyKind === BodyKind.json || /^[[{]/.test(body as string);
  return { body, type: structured ? "application/json" : plain };
}

/** Adds `name\nvalue\n...` to a flat list; true when there is a Content-Type among them. */
function addHeaders(headers: string[], text: string): boolean {
  if (text === "") return false;
  let typed = false;
  const parts = text.split("\n");
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const name = (parts[i] as string).toLowerCase();
    if (own.has(name)) continue;
    typed ||= name === "content-type";
    headers.push(parts[i] as string, parts[i + 1] as string);
  }
  return typed;
}

function traceparent({ traceId, spanId }: RunningRun): string {
  return `00-${traceId}-${spanId}-01`;
}

function errorOf(run: RunningRun, result: InvocationResult | undefined): AppError {
  if (result?.outcome === Outcome.badJson)
    return new AppError("bad_json", "the body is not the JSON that its Content-Type says");
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
  if (status === "timeout") return new AppError("run_timeout", "the run passed its wall-time limit");
  if (outcome === "redeploy")
    return new AppError("draining", "the run's deployment ended before the run did: try again", { "Retry-After": "1" });
  if (status === "cancelled") return new AppError("run_cancelled", "the run was cancelled");
  if (status === "killed") return new AppError("run_killed", "the run was lost with its thread: its record says why");
  return new AppError("run_failed", "the run failed: its record says where and why");
}
