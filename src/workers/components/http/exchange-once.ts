/** Sends one request over a dispatcher of undici, and reads its answer within a bound, until a signal aborts. */
import type { FlowException } from "../../engine/exception.ts";
import { limitExceeded } from "../../engine/exception.ts";
import type { Dispatcher } from "./undici.ts";

export interface RawAnswer {
  readonly status: number;
  /** "" without one. */
  readonly statusText: string;
  /** In the server's order and spelling; values as Latin-1. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** The bound of an answer's body: the lower of two limits. */
export interface MostBytes {
  readonly bytes: number;
  readonly limit: "outboundResponseBytes" | "messageBodyBytes";
}

export interface ReadOptions {
  readonly most: MostBytes;
  /** true: the body is read and dropped. */
  readonly ignoreBody: boolean;
  readonly signal: AbortSignal;
  /** Called when the head of the answer has been received. */
  onHead(): void;
}

/** Rejects with the signal's reason, LimitExceededException, or an error of undici or the system. */
export function exchangeOnce(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { most, ignoreBody, signal, onHead }: ReadOptions,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Omit<RawAnswer, "body"> | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const over = (): void => signal.removeEventListener("abort", abort);
    const fail = (error: Error): void => {
      over();
      reject(error);
      controller?.abort(error);
    };
    const abort = (): void => fail(signal.reason);
    const count = (more: number): void => {
      bytes += more;
      if (bytes > most.bytes) fail(tooLong(most));
    };
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    dispatcher.dispatch(request, {
      onRequestStart(begun) {
        controller = begun;
        if (signal.aborted) begun.abort(signal.reason);
      },
      onResponseStart({ rawHeaders }, status, _headers, statusText = "") {
        if (status < 200) return;
        onHead();
        head = { status, statusText, headers: pairs(rawHeaders) };
        const length = head.headers.find(([name]) => name.toLowerCase() === "content-length")?.[1];
        if (request.method !== "HEAD" && !ignoreBody && Number(length) > most.bytes) fail(tooLong(most));
      },
      onResponseData(_, chunk) {
        count(chunk.length);
        if (!ignoreBody) chunks.push(chunk);
      },
      onResponseEnd() {
        over();
        const answer = head && { ...head, body: Buffer.concat(chunks) };
        // undici returns a connection to its pool one turn of the loop later; an earlier request would open another
        // one.
        if (answer !== undefined) setImmediate(() => setImmediate(resolve, answer));
      },
      onResponseError(_, error) {
        over();
        reject(error);
      },
    });
  });
}

export function tooLong({ bytes, limit }: MostBytes): FlowException {
  return limitExceeded(limit, `the server's answer has more than ${bytes} bytes`);
}

function pairs(raw: Dispatcher.DispatchController["rawHeaders"]): [name: string, value: string][] {
  const flat = Array.isArray(raw) ? raw.map((part) => (typeof part === "string" ? part : part.toString("latin1"))) : [];
  return Array.from({ length: flat.length >> 1 }, (_, i) => [flat[2 * i] as string, flat[2 * i + 1] as string]);
}
