/** `Expect: 100-continue`: the caller holds its body back until the server asks for it (RFC 9110 10.1.1). */
import type { ServerResponse } from "node:http";

/** Responses whose callers still wait, with the keep-alive that they asked for. */
const waiting = new WeakMap<ServerResponse, boolean>();

/**
 * Notes that the caller waits. An answer sent before `acceptBody` closes the connection: the body may or may not follow
 * it.
 */
export function holdBody(response: ServerResponse): void {
  waiting.set(response, response.shouldKeepAlive);
  response.shouldKeepAlive = false;
}

/**
 * Sends `100 Continue` to a caller that waits for it; to be called before a body is read, after all checks that need
 * only the head.
 */
export function acceptBody(response: ServerResponse): void {
  const keepAlive = waiting.get(response);
  if (keepAlive === undefined) return;
  waiting.delete(response);
  response.shouldKeepAlive = keepAlive;
  response.writeContinue();
}
