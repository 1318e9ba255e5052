/** What `test/invoke` begins, and the same inside a session's document. */
import * as z from "zod";
import { fields, isFields, object, text, whole } from "../../../shared/document-fields.ts";
import type { Invoke } from "../../runs/test-sessions/test-service.ts";
import { base64 } from "./read-actions.ts";
import { mostName, mostTimeoutMs, mostUri, Reading } from "./reading.ts";

const beginnings = ["endpoint", "uri", "routeId"] as const;
const invokeFields = {
  endpoint: text(mostUri).optional(),
  uri: text(mostUri).optional(),
  routeId: text(mostName).optional(),
  body: z.unknown().optional(),
  bodyBase64: base64.optional(),
  headers: object("an object of headers by name").optional(),
  timeoutMs: whole(1, mostTimeoutMs).optional(),
};
type Sent = { readonly [Name in keyof typeof invokeFields]?: z.output<(typeof invokeFields)[Name]> };

const whenObject = { when: ({ value }: { readonly value: unknown }) => isFields(value) };

/** Of a session: there is no other to fall back on. */
export const ownInvoke = fields(invokeFields)
  .superRefine((value, context) => {
    checkInvoke(value, context);
    if (beginnings.some((name) => value[name] !== undefined)) return;
    const message = `is missing: say what begins, such as "direct:start", or a routeId`;
    context.addIssue({ code: "custom", path: ["endpoint"], message });
  }, whenObject)
  .transform(invokeOf);

const requested = fields({ sessionId: text(mostName).optional(), ...invokeFields }).superRefine((value, context) => {
  checkInvoke(value, context);
  if (value.sessionId !== undefined) return;
  const message = "is missing: it is what POST /_api/test/session has answered";
  context.addIssue({ code: "custom", path: ["sessionId"], message });
}, whenObject);

export interface InvokeRequest {
  readonly sessionId: string;
  readonly invoke: Invoke;
}

/** Throws AppError `bad_request`. */
export function readInvokeRequest(document: unknown): InvokeRequest {
  const reading = new Reading();
  const { sessionId = "", ...invoke } = reading.read(requested, document) ?? {};
  reading.settle("bad_request", true);
  return { sessionId, invoke: invokeOf(invoke) };
}

function checkInvoke(value: Sent, { addIssue }: z.RefinementCtx): void {
  const [first, second] = beginnings.filter((name) => value[name] !== undefined);
  if (second !== undefined) {
    addIssue({ code: "custom", path: [second], message: `${first} says already what begins: send one of them` });
  }
  if (value.body !== undefined && value.bodyBase64 !== undefined) {
    addIssue({ code: "custom", path: ["bodyBase64"], message: "body says already what is sent" });
  }
}

function invokeOf({ endpoint, uri, routeId, body, bodyBase64, headers, timeoutMs }: Sent): Invoke {
  return { endpoint: endpoint ?? uri, routeId, body, bodyBase64, headers, timeoutMs };
}
