/** Makes the body that a route with a path of its own gets: text or bytes, JSON unparsed, forms as fields. */
import { isUtf8 } from "node:buffer";
import { BodyKind } from "../../shared/protocol.ts";
import { bodyKindOf, emptyBodyOf, type WebhookBody } from "./http-message.ts";
import { mainPart } from "./media-types.ts";

const nothing: WebhookBody = { kind: BodyKind.none, content: null };
/**
 * Methods for which Vert.x Web reads forms; with another one a form is no body at all (VertxPlatformHttpEngineTest).
 */
const formMethods = new Set(["POST", "PUT", "PATCH", "DELETE"]);

export function claimedBodyOf(
  body: Buffer | null,
  contentType: string | undefined,
  method: string | undefined,
): WebhookBody {
  if (body === null || body.length === 0) return emptyBodyOf(method);
  if (contentType !== undefined && mainPart(contentType) === "application/x-www-form-urlencoded") {
    if (!formMethods.has(method ?? "")) return nothing;
    // A form that is not UTF-8 becomes a broken escape, which the thread refuses.
    return { kind: BodyKind.form, content: isUtf8(body) ? body.toString("utf8") : "%" };
  }
  const read = bodyKindOf(body, contentType, method);
  if (read.kind !== BodyKind.json) return read;
  if (read.content === "") return { kind: BodyKind.bytes, content: new Uint8Array(body) };
  return { kind: BodyKind.maybeJson, content: read.content };
}
