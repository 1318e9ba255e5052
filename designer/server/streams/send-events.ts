/** Answers a request with an event stream. */
import { pipeline } from "node:stream/promises";
import type { FastifyReply } from "fastify";

/**
 * Sends events until they end, the browser goes away or `ended` is aborted.
 * @param open the events; they end with the signal
 */
export async function sendEvents(
  reply: FastifyReply,
  ended: AbortSignal | undefined,
  open: (over: AbortSignal) => AsyncIterable<string | Buffer>,
): Promise<void> {
  const { raw } = reply;
  const over = new AbortController();
  const stop = (): void => over.abort();
  raw.once("close", stop);
  ended?.addEventListener("abort", stop, { once: true });
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  // The first event may be far away.
  raw.flushHeaders();
  try {
    await pipeline(open(over.signal), raw);
  } catch {
    // The browser has gone away.
  } finally {
    stop();
    ended?.removeEventListener("abort", stop);
  }
}
