/** `Expect: 100-continue`: the caller holds its body back until it is told that the body is wanted (RFC 9110 10.1.1). */
import type { ServerResponse } from "node:http";

/** Responses whose callers still wait, with the keep-alive that they had asked for. */
const waiting = new WeakMap<ServerResponse, boolean>();

/** Notes that the caller waits. An answer sent before `acceptBody` closes the connection: the body may or may not follow it. */
export function holdBody(response: ServerResponse): void {
  waiting.set(response, response.shouldKeepAlive);
  response.shouldKeepAlive = false;
}

/** To be called before a request's body is read, after all checks that need only its head; sends `100 Continue` to who waits for it. */
export function acceptBody(response: ServerResponse): void {
  const keepAlive = waiting.get(response);
  if (keepAlive === undefined) return;
  waiting.delete(response);
  response.shouldKeepAlive = keepAlive;
  response.writeContinue();
}
