/** The bytes of webhook bodies that arrive, wait or run: of a flow, and of all flows together. */
import { AppError } from "../../shared/errors.ts";
import type { Deployment } from "../flows/deployment.ts";

/** Of all flows. */
export interface ByteCount {
  bytesInFlight: number;
  readonly most: number;
}

/** Throws body_too_large or bytes_in_flight when `bytes` more of one body, which has `already` so many, are too many. */
export function refuseBytes({ limits, bytesInFlight }: Deployment, total: ByteCount, bytes: number, already = 0): void {
  const { webhookBodyBytes, flowBytesInFlight } = limits;
  if (already + bytes > webhookBodyBytes) {
    throw new AppError("body_too_large", `a webhook's body has at most ${webhookBodyBytes} bytes`);
  }
  if (bytesInFlight + bytes > flowBytesInFlight || total.bytesInFlight + bytes > total.most) {
    throw new AppError("bytes_in_flight", "too many bytes are waiting to be processed: try again later", {
      "Retry-After": "1",
    });
  }
}

export function countBytes(flow: Deployment, total: ByteCount, bytes: number): void {
  flow.bytesInFlight += bytes;
  total.bytesInFlight += bytes;
}
