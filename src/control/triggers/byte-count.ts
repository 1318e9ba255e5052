/** Bytes that callers make the runtime hold: bodies that arrive, wait or run, and answers that are not yet read. Of a flow, and of all. */
import { AppError } from "../../shared/errors.ts";
import { largeBody } from "../../shared/protocol.ts";
import type { ByteCount, Deployment } from "../flows/deployment.ts";

/** Of all flows. */
export interface TotalBytes extends ByteCount {
  readonly most: number;
}

/** Throws body_too_large or bytes_in_flight when `bytes` more of one body, which has `already` so many, are too many. `signed`: by its caller. */
export function refuseBytes(flow: Deployment, total: TotalBytes, bytes: number, already = 0, signed = false): void {
  const { webhookBodyBytes, signedBodyBytes, flowBytesInFlight } = flow.limits;
  const most = signed ? Math.min(signedBodyBytes, webhookBodyBytes) : webhookBodyBytes;
  if (already + bytes > most) {
    throw new AppError("body_too_large", `a ${signed ? "signed" : "webhook's"} body has at most ${most} bytes`);
  }
  if (flow.bytes.inFlight + bytes > flowBytesInFlight || total.inFlight + bytes > total.most) {
    throw new AppError("bytes_in_flight", "too many bytes are waiting to be processed: try again later", {
      "Retry-After": "1",
    });
  }
}

/**
 * Throws answer_not_sent for a large answer that does not fit beside what is held already. One that nothing is held beside goes, and so do
 * small ones: a socket takes them as they are.
 */
export function refuseAnswer(flow: Deployment, total: TotalBytes, bytes: number): void {
  if (bytes < largeBody) return;
  const { flowBytesInFlight } = flow.limits;
  if (overfull(flow.bytes, flowBytesInFlight, bytes) || overfull(total, total.most, bytes)) {
    throw new AppError(
      "answer_not_sent",
      `the run was carried out, but its answer of ${bytes} bytes does not fit beside those that have not been read yet`,
      // Whoever reads nothing keeps no connection either.
      { "Retry-After": "1", Connection: "close" },
    );
  }
}

function overfull({ inFlight }: ByteCount, most: number, bytes: number): boolean {
  return inFlight > 0 && inFlight + bytes > most;
}

export function countBytes(flow: ByteCount, total: ByteCount, bytes: number): void {
  flow.inFlight += bytes;
  total.inFlight += bytes;
}
