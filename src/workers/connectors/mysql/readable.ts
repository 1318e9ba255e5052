/** Whether a stream of rows has more. */
import type { Readable } from "node:stream";

/** Resolves false at the end of the stream; rejects with its error. */
export function isReadable(rows: Readable): Promise<boolean> {
  if (rows.readableLength > 0) return Promise.resolve(true);
  if (rows.errored !== null) return Promise.reject(rows.errored);
  if (rows.readableEnded || rows.destroyed) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const over = (): void => {
      rows.off("readable", readable).off("end", end).off("close", end).off("error", failed);
    };
    const readable = (): void => {
      if (rows.readableLength === 0 && !rows.readableEnded) {
        // The end becomes known by reading.
        rows.read();
        return;
      }
      over();
      resolve(true);
    };
    const end = (): void => {
      over();
      resolve(false);
    };
    const failed = (error: Error): void => {
      over();
      reject(error);
    };
    rows.on("readable", readable).on("end", end).on("close", end).on("error", failed);
  });
}
