/** The message that a run begins with, and what its sender is answered when it cannot be read. */
import type { Limits } from "../shared/limits.ts";
import type { HttpTrigger } from "../shared/manifest.ts";
import { BodyKind, Outcome } from "../shared/protocol.ts";
import { decodeBody } from "./bodies.ts";
import { Message } from "./engine/exchange.ts";
import { FormError } from "./engine/form.ts";
import type { Headers } from "./engine/headers.ts";
import { MultipartError } from "./engine/multipart.ts";
import { receiveMultipart } from "./multipart-form.ts";
import { receiveForm } from "./platform-http.ts";

/** `http`: the trigger of a route with a path of its own, which reads forms. Throws as `refusalOf` names. */
export function receivedMessage(
  kind: BodyKind,
  content: string | Uint8Array | null,
  headers: Headers,
  limits: Limits,
  http: HttpTrigger | undefined,
): Message {
  if (http !== undefined && kind === BodyKind.multipart) {
    return receiveMultipart(content as Uint8Array, headers, limits, http);
  }
  const isForm = http !== undefined && kind === BodyKind.form;
  const body = isForm ? receiveForm(content as string, headers, limits, http) : decodeBody(kind, content);
  return new Message(limits, headers, body);
}

/** Returns the outcome of a run whose message could not be read. */
export function refusalOf(error: unknown, kind: BodyKind): Outcome {
  if (error instanceof SyntaxError) return Outcome.badJson;
  if (error instanceof FormError) return Outcome.badForm;
  if (error instanceof MultipartError) return Outcome.badParts;
  if (kind === BodyKind.json) return Outcome.bigJson;
  return kind === BodyKind.form || kind === BodyKind.multipart ? Outcome.longForm : Outcome.failed;
}
