/**
 * Watches the threads of all flows, so that no run uses more than its flow may. Busy threads are examined every 100 ms, those whose memory
 * grows every 20 ms, all others once a second. Each thread also has a timer for the deadlines of its runs.
 */

import { levels } from "../../../shared/protocol.ts";
import type { FlowThread } from "../line/flow-thread.ts";
import { within } from "../waiting.ts";
import { ThreadWatch } from "./thread-watch.ts";

const sweepMs = 100;
const closeMs = 20;
/** The number of sweeps in which each idle thread is examined once. */
const round = 10;
/** How long the end of a thread that is terminated may take, in milliseconds. */
const endMs = 1000;
/** The lowest priority of a thread. */
const lowestNice = 19;

/** Where invocations wait for a thread. */
export interface WaitingInvocations {
  /** Ends the invocations whose deadline has passed. `now` in epoch milliseconds. */
  expire(now: number): void;
}

export class Supervisor {
  readonly #watches = new Map<FlowThread, ThreadWatch>();
  readonly #rooms = new Set<WaitingInvocations>();
  #timer: NodeJS.Timeout | undefined;
  #closeTimer: NodeJS.Timeout | undefined;
  /** The watches that are examined in each sweep. */
  readonly #awake = new Set<ThreadWatch>();
  #round = this.#watches.values();

  /** Watches a thread until `forget`. `graceMs`: the time from a cancel to the kill. */
  watch(thread: FlowThread, graceMs: number): void {
    const watch = new ThreadWatch(thread, {
      graceMs,
      woke: (awake) => this.#awake.add(awake),
      killed: (killed) => void awaitEnd(killed),
    });
    thread.runs.watcher = watch;
    this.#watches.set(thread, watch);
    this.#begin();
  }

  watchRoom(room: WaitingInvocations): void {
    this.#rooms.add(room);
    this.#begin();
  }

  forget(thread: FlowThread): void {
    const watch = this.#watches.get(thread);
    if (watch === undefined) return;
    watch.stop();
    this.#awake.delete(watch);
    this.#watches.delete(thread);
    this.#endWhenUnused();
  }

  forgetRoom(room: WaitingInvocations): void {
    this.#rooms.delete(room);
    this.#endWhenUnused();
  }

  close(): void {
    clearInterval(this.#timer);
    clearInterval(this.#closeTimer);
    this.#timer = undefined;
    this.#closeTimer = undefined;
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref();
  }

  #endWhenUnused(): void {
    if (this.#watches.size + this.#rooms.size === 0) this.close();
  }

  #sweep(): void {
    const now = performance.now();
    let close = false;
    for (let left = Math.ceil(this.#watches.size / round); left > 0; left -= 1) this.#next()?.look(now);
    for (const watch of this.#awake) {
      watch.look(now);
      close ||= watch.close;
      watch.awake = watch.lively;
      if (!watch.awake) this.#awake.delete(watch);
    }
    if (close) this.#closeTimer ??= setInterval(() => this.#lookClosely(), closeMs).unref();
    const time = Date.now();
    for (const room of this.#rooms) room.expire(time);
  }

  /** Returns the next of all watches in turn; undefined when that one is awake, and examined anyway. */
  #next(): ThreadWatch | undefined {
    let next = this.#round.next();
    if (next.done === true) {
      this.#round = this.#watches.values();
      next = this.#round.next();
    }
    return next.value?.awake === true ? undefined : next.value;
  }

  #lookClosely(): void {
    const now = performance.now();
    let close = false;
    for (const watch of this.#awake) {
      if (!watch.close) continue;
      watch.look(now);
      close = true;
    }
    if (close) return;
    clearInterval(this.#closeTimer);
    this.#closeTimer = undefined;
  }
}

/** Waits for the end of a killed thread. Native code cannot be interrupted: a thread in it goes on until that returns, with the lowest priority. */
async function awaitEnd({ booted, owner, number }: FlowThread): Promise<void> {
  if (await within(endMs, booted.ended)) return;
  booted.setNice(lowestNice);
  const message = `thread ${number} was killed and has not ended: it is in native code, and ends when that does`;
  owner.events.log(owner.flowId, undefined, -1, levels.indexOf("ERROR"), "runtime", message, "");
}
