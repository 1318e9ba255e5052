/** Polls for files and offers each (Camel: GenericFileConsumer). */

import { exceptionMessage } from "../../engine/exception.ts";
import { PollClock } from "../../engine/poll-clock.ts";
import type { Offer, Source, SourceContext } from "../../engine/source.ts";
import { directoryFor } from "./directory.ts";
import type { Files } from "./file-system.ts";
import { FileFinder } from "./finder.ts";
import { flowFiles } from "./flow-files.ts";
import { FileTaker } from "./one-file.ts";
import type { FileOptions } from "./options.ts";
import { takenFiles } from "./taken-files.ts";

/** Throws for invalid options. */
export function fileSource(options: FileOptions, context: SourceContext): Source {
  const inbox = new Inbox(options, context);
  let offer: Offer | undefined;
  const poll = async (): Promise<number> => (offer === undefined ? 0 : inbox.poll(offer, () => clock.stopped));
  const clock = new PollClock({ ...options, steady: true }, context.report, poll);
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
  readonly #files: () => Files;
  readonly #finder: FileFinder;
  readonly #taker: FileTaker;
  readonly #prepare: ReturnType<typeof directoryFor>;

  constructor(options: FileOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#files = flowFiles(options.directoryName, context);
    this.#finder = new FileFinder(options, context, takenFiles(options, `file:${context.routeId}`, context));
    this.#taker = new FileTaker({ ...options, usualMove: ".camel" }, context, this.#finder);
    this.#prepare = directoryFor(options);
  }

  /** Resolves with the number of messages. Rejects when files cannot be looked for. */
  async poll(offer: Offer, stopped: () => boolean): Promise<number> {
    try {
      const taken = await this.#poll(offer, stopped);
      if (taken === 0 && this.#options.sendEmptyMessageWhenIdle && !stopped()) await offer({ body: null });
      return taken;
    } catch (error) {
      this.#context.report.backlog(undefined);
      throw new Error(`files cannot be looked for in '${this.#options.directoryName}': ${exceptionMessage(error)}`);
    }
  }

  async #poll(offer: Offer, stopped: () => boolean): Promise<number> {
    const files = this.#files();
    await this.#prepare(files);
    const found = await this.#finder.find(files);
    let taken = 0;
    this.#context.report.backlog(found.length);
    for (const [index, file] of found.entries()) {
      this.#context.report.backlog(found.length - index - 1);
      if (stopped()) await this.#finder.giveBack(files.area, file);
      else if (await this.#taker.take(files, { found: file, index, size: found.length }, offer)) taken += 1;
    }
    return taken;
  }
}
