/** What `test/invoke` begins, and the same inside a session's document. */
import type { Invoke } from "../../runs/test-sessions/test-service.ts";
import { mostName, mostTimeoutMs, mostUri } from "./bounds.ts";
import { readBase64 } from "./read-actions.ts";
import { type Part, Reading, theBody } from "./reading.ts";

export const invokeFields = ["endpoint", "uri", "routeId", "body", "bodyBase64", "headers", "timeoutMs"];
const places = ["endpoint", "uri", "routeId"];

export interface InvokeRequest {
  readonly sessionId: string;
  readonly invoke: Invoke;
}

/** Throws AppError `bad_request`. */
export function readInvokeRequest(document: unknown): InvokeRequest {
  const reading = new Reading(true);
  const part = reading.part(document, theBody, ["sessionId", ...invokeFields]);
  const sessionId = part?.text("sessionId", mostName);
  if (part !== undefined && !part.has("sessionId")) {
    part.bad("sessionId", "is missing: it is what POST /_api/test/session has answered");
  }
  const invoke = part === undefined ? {} : readInvoke(part);
  reading.settle("bad_request");
  return { sessionId: sessionId ?? "", invoke };
}

export function readInvoke(part: Part): Invoke {
  const [place, second] = places.filter((name) => part.has(name));
  if (second !== undefined) part.bad(second, `${place} says already what begins: send one of them`);
  if (part.has("body") && part.has("bodyBase64")) part.bad("bodyBase64", "body says already what is sent");
  return {
    endpoint: part.text("endpoint", mostUri) ?? part.text("uri", mostUri),
    routeId: part.text("routeId", mostName),
    body: part.value("body"),
    bodyBase64: readBase64(part),
    headers: part.object("headers", "an object of headers by name"),
    timeoutMs: part.whole("timeoutMs", 1, mostTimeoutMs),
  };
}

/** Of a session: there is no other to fall back on. */
export function readOwnInvoke(part: Part | undefined): Invoke | undefined {
  if (part === undefined) return undefined;
  if (!places.some((name) => part.has(name))) {
    part.bad("endpoint", `is missing: say what begins, such as "direct:start", or a routeId`);
  }
  return readInvoke(part);
}
