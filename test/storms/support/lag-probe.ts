/** Loaded into the server's process with `--import`: answers each message with how late its main loop was since the last one. */
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Milliseconds. */
export interface Lag {
  readonly p99: number;
  readonly most: number;
}

const resolutionMs = 1;
const delays = monitorEventLoopDelay({ resolution: resolutionMs });
delays.enable();

process.on("message", () => {
  const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
  process.send?.({ p99: ms(delays.percentile(99)), most: ms(delays.max) } satisfies Lag);
  delays.reset();
});
process.channel?.unref();
