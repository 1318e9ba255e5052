/** Opens an event stream of a runtime. */
import { may, type User } from "../../shared/wire.ts";
import { Refused } from "../refused.ts";
import { runtimeHeaders } from "./headers.ts";
import { operations } from "./table.ts";
import { refuseOddPath } from "./target-path.ts";
import type { Upstream } from "./upstream.ts";

interface StreamRequest {
  /** Of the runtime's API, with the query. */
  readonly path: string;
  /** The event behind which it goes on. */
  readonly lastEventId: string | undefined;
  readonly user: User;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Resolves with the bytes of the stream. Rejects with Refused, also when the runtime refuses it. */
export async function openStream(
  upstream: Upstream,
  { path, lastEventId, user, signal }: StreamRequest,
): Promise<AsyncIterable<Buffer>> {
  refuseOddPath(path);
  const operation = operations.find((one) => one.isStream === true && one.path === path.split("?", 1)[0]);
  if (operation === undefined) throw new Refused(404, `the runtime has no event stream '${path.slice(0, 100)}'`);
  if (!may(user.role, operation.least))
    throw new Refused(403, `this is for people with the role ${operation.least}; yours is ${user.role}`);
  const sent = { accept: "text/event-stream", "last-event-id": lastEventId };
  const answer = await upstream.request({
    ...{ method: "GET", path, body: null, signal },
    headers: runtimeHeaders(sent, user, upstream.authorization),
  });
  if (answer.statusCode === 200) return answer.body;
  const text = await answer.body.text();
  if (answer.statusCode === 401) throw upstream.refusedToken();
  const { "x-error-code": code, "retry-after": after } = answer.headers;
  throw new Refused(answer.statusCode, sentenceOf(text), {
    headers: {
      ...(typeof code === "string" && { "X-Error-Code": code }),
      ...(typeof after === "string" && { "Retry-After": after }),
    },
  });
}

function sentenceOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Something in front of the runtime has answered.
  }
  return `the runtime refuses the stream: ${text.slice(0, 200)}`;
}
