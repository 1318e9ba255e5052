/** The message that an invocation begins its run with. */
import { AppError } from "../../../shared/errors.ts";
import { saysJson } from "../../../shared/json-media-type.ts";
import type { Limits } from "../../../shared/limits.ts";
import { BodyKind, type InvokeExtra } from "../../../shared/protocol.ts";
import type { RunRequest } from "../running-run.ts";
import type { Invoke } from "./test-service.ts";

type InvokedMessage = Pick<RunRequest, "headers" | "bodyKind" | "body" | "extra" | "deadline">;

/** Throws bad_request. */
export function invokedMessage(invoke: Invoke, { webhookWallMs, timerWallMs }: Limits): InvokedMessage {
  const { headers = {}, timeoutMs = webhookWallMs } = invoke;
  const most = Math.max(webhookWallMs, timerWallMs);
  if (timeoutMs > most) {
    throw new AppError("bad_request", `timeoutMs: a run of this flow may take ${most} ms (its timerWallMs)`);
  }
  // A header may be a list or an object here, which the text that headers of requests travel as cannot carry.
  const extra: InvokeExtra = { pattern: "InOut", headers: Object.entries(headers) };
  return { ...bodyOf(invoke), headers: "", extra: JSON.stringify(extra), deadline: Date.now() + timeoutMs };
}

/** A list or an object as if it had come as JSON; a text as text, that can be looked into when its Content-Type is JSON. */
function bodyOf({ body, bodyBase64, headers = {} }: Invoke): Pick<RunRequest, "bodyKind" | "body"> {
  if (bodyBase64 !== undefined) {
    return { bodyKind: BodyKind.bytes, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
  }
  if (body === undefined || body === null) return { bodyKind: BodyKind.none, body: null };
  if (typeof body === "string") return { bodyKind: saysJson(headers) ? BodyKind.maybeJson : BodyKind.text, body };
  return { bodyKind: typeof body === "object" ? BodyKind.json : BodyKind.value, body: JSON.stringify(body) };
}
