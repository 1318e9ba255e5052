/** Bounds an answer: in its bytes, and in the time that passes without one. What answers may not be the runtime. */
import { UnreachableError } from "./errors.ts";

export interface AnswerBounds {
  /** The most bytes of a document; undefined: the answer is read as it comes, and may have any length. */
  readonly mostBytes: number | undefined;
  /** The longest time without a byte, from the request on; undefined: that of `fetch`. */
  readonly idleMs: number | undefined;
}

type Fetch = (request: Request) => Promise<Response>;

/** A `fetch` that ends an answer beyond its bounds with UnreachableError. `url`: the runtime's, for the message. */
export function bounded(url: string, fetch: Fetch, { mostBytes, idleMs }: AnswerBounds): Fetch {
  return async (request) => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      if (idleMs === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const reason = `${url} has sent nothing for ${idleMs / 1000} s: is it the runtime, and does it answer others?`;
        over.abort(new UnreachableError(reason));
      }, idleMs);
      // An answer that nobody reads to its end must not keep the process; one that is waited for has its connection, which does.
      (timer as { unref?: () => void }).unref?.();
    };
    const settle = (): void => clearTimeout(timer);
    wait();
    try {
      const response = await fetch(new Request(request, { signal: AbortSignal.any([request.signal, over.signal]) }));
      if (response.body === null) {
        settle();
        return response;
      }
      return new Response(response.body.pipeThrough(counter(url, mostBytes, { wait, settle, over })), response);
    } catch (error) {
      settle();
      throw over.signal.aborted ? over.signal.reason : error;
    }
  };
}

interface Around {
  wait(): void;
  settle(): void;
  readonly over: AbortController;
}

/** Passes bytes on as they come; nothing waits in it. */
function counter(url: string, mostBytes: number | undefined, { wait, settle, over }: Around) {
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      wait();
      bytes += chunk.length;
      if (mostBytes !== undefined && bytes > mostBytes) {
        settle();
        const most = `${Math.round(mostBytes / 1024 ** 2)} MiB`;
        const error = new UnreachableError(
          `${url} answers more than ${most}, which no document has: is it the runtime?`,
        );
        over.abort(error);
        throw error;
      }
      controller.enqueue(chunk);
    },
    flush: settle,
  });
}
