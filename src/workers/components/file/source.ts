/** Polls for files and offers each (Camel: GenericFileConsumer). */

import { exceptionMessage } from "../../engine/exception.ts";
import { PollClock } from "../../engine/poll-clock.ts";
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
