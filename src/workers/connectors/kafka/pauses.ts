/** How long to wait after a failure that may pass, before the same is tried again. */
import { isUnanswered } from "./library.ts";

export interface Pauses {
  /** After the first failure; it doubles with each further one. */
  readonly firstMs: number;
  /** The longest one after what a broker has answered. */
  readonly mostMs: number;
  /** The longest one when a broker cannot be reached, or does not answer. */
  readonly mostReconnectMs: number;
}

/** `failures`: how many there were in a row, from 1 on. Each pause differs by up to a fifth, so that clients do not come at the same time. */
export function pauseAfter(error: unknown, failures: number, { firstMs, mostMs, mostReconnectMs }: Pauses): number {
  const most = isUnanswered(error) ? mostReconnectMs : mostMs;
  return Math.min(Math.max(firstMs, most), firstMs * 2 ** Math.min(failures - 1, 20)) * (0.8 + Math.random() * 0.4);
}
