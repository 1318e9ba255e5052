/** Loaded into a server's process before it: tells each call that ends a thread, with its time on the clock that all processes share. */
import { Worker } from "node:worker_threads";
import { clockMs } from "./clock.ts";

export interface Terminated {
  readonly terminated: number;
  /** By `clockMs`. */
  readonly at: number;
}

const { terminate } = Worker.prototype;

Worker.prototype.terminate = function (this: Worker): Promise<number> {
  const at = clockMs();
  const { threadId } = this;
  const ended = terminate.call(this);
  if (threadId > 0) process.send?.({ terminated: threadId, at } satisfies Terminated);
  return ended;
};
process.channel?.unref();
