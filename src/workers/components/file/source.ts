/** Polls for files and offers each (Camel: GenericFileConsumer). */

import { exceptionMessage } from "../../engine/exception.ts";
import type { Offer, Source, SourceContext } from "../../engine/source.ts";
import { directoryFor } from "./directory.ts";
import { FileFinder } from "./finder.ts";
import { type FlowFiles, flowFiles } from "./flow-files.ts";
import { FileTaker } from "./one-file.ts";
import type { FileOptions } from "./options.ts";
import { takenFiles } from "./taken-files.ts";

/** Throws for invalid options. */
export function fileSource(options: FileOptions, context: SourceContext): Source {
  const inbox = new Inbox(options, context);
  let offer: Offer | undefined;
  const clock = new PollClock(options, async () => (offer === undefined ? 0 : inbox.poll(offer, () => clock.stopped)));
  return {
    credits: 1,
    start(to) {
      offer = to;
      clock.start();
    },
    pause: () => clock.stop(),
    stop() {
      clock.stop();
      // A file is moved after its run has ended; the flow ends after that.
      return clock.idle();
    },
  };
}

class Inbox {
  readonly #options: FileOptions;
  readonly #context: SourceContext;
  readonly #files: () => FlowFiles;
  readonly #finder: FileFinder;
  readonly #taker: FileTaker;
  readonly #prepare: ReturnType<typeof directoryFor>;
  #lastProblem = "";

  constructor(options: FileOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#files = flowFiles(options.directoryName, context);
    this.#finder = new FileFinder(options, context, takenFiles(options, `file:${context.routeId}`, context));
    this.#taker = new FileTaker(options, context, this.#finder);
    this.#prepare = directoryFor(options);
  }

  /** Resolves with the number of messages. Does not reject. */
  async poll(offer: Offer, stopped: () => boolean): Promise<number> {
    try {
      const taken = await this.#poll(offer, stopped);
      this.#lastProblem = "";
      if (taken === 0 && this.#options.sendEmptyMessageWhenIdle && !stopped()) await offer({ body: null });
      return taken;
    } catch (error) {
      // Logged once, not at every poll.
      const problem = `files cannot be looked for in '${this.#options.directoryName}': ${exceptionMessage(error)}`;
      if (problem !== this.#lastProblem) this.#context.log("WARN", "file", problem);
      this.#lastProblem = problem;
      return 0;
    }
  }

  async #poll(offer: Offer, stopped: () => boolean): Promise<number> {
    const files = this.#files();
    await this.#prepare(files);
    const found = await this.#finder.find(files);
    let taken = 0;
    for (const [index, file] of found.entries()) {
      if (stopped()) await this.#finder.giveBack(files.area, file);
      else if (await this.#taker.take(files, { found: file, index, size: found.length }, offer)) taken += 1;
    }
    return taken;
  }
}

/** When a consumer polls (Camel: ScheduledPollConsumer). Polls never overlap. */
type ClockOptions = Pick<FileOptions, "initialDelay" | "delay" | "useFixedDelay" | "greedy" | "repeatCount">;

export class PollClock {
  readonly #options: ClockOptions;
  /** Resolves with the number of files that were taken; does not reject. */
  readonly #poll: () => Promise<number>;
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #stopped = true;
  /** The poll that is under way. */
  #now: Promise<void> | undefined;

  constructor(options: ClockOptions, poll: () => Promise<number>) {
    this.#options = options;
    this.#poll = poll;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Resolves when the present poll has ended. */
  async idle(): Promise<void> {
    await this.#now;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#polls = 0;
    // If a poll from before the stop is still under way, it schedules the next one itself.
    if (this.#now === undefined) this.#in(this.#options.initialDelay);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** The timer does not keep the thread alive. */
  #in(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#now = this.#tick().then((next) => {
        this.#now = undefined;
        if (next !== undefined) this.#in(next);
      });
    }, ms).unref();
  }

  /** Resolves with the milliseconds to the next poll; undefined after the last. */
  async #tick(): Promise<number | undefined> {
    const { delay, useFixedDelay, greedy, repeatCount } = this.#options;
    const began = performance.now();
    const taken = await this.#poll();
    this.#polls += 1;
    if (repeatCount > 0 && this.#polls >= repeatCount) return undefined;
    const spent = useFixedDelay ? 0 : performance.now() - began;
    return greedy && taken > 0 ? 0 : Math.max(0, delay - spent);
  }
}
