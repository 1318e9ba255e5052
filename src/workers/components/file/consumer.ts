/** Looks for files again and again, and begins a run for each (Camel: GenericFileConsumer). */
import { blankExchange } from "../../engine/blank-exchange.ts";
import type { Consumer, ConsumerContext } from "../../engine/component.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { Exchange } from "../../engine/exchange.ts";
import { type FlowFiles, flowFiles } from "./flow-files.ts";
import { FileTaker } from "./one-file.ts";
import type { FileOptions } from "./options.ts";
import { PollClock } from "./poll-clock.ts";
import { FileSource } from "./source.ts";

/** Throws for options that cannot be read; nothing happens before it is started. */
export function fileConsumer(options: FileOptions, context: ConsumerContext): Consumer {
  const inbox = new Inbox(options, context);
  const clock = new PollClock(options, () => inbox.poll(() => clock.stopped));
  context.atHalt(() => clock.stop());
  // A file is moved away after its run is over: the flow ends when that is done, too.
  context.atEnd(() => clock.idle());
  return clock;
}

class Inbox {
  readonly #options: FileOptions;
  readonly #context: ConsumerContext;
  readonly #files: () => FlowFiles;
  readonly #source: FileSource;
  readonly #taker: FileTaker;
  #begun = false;
  #lastProblem = "";

  constructor(options: FileOptions, context: ConsumerContext) {
    this.#options = options;
    this.#context = context;
    this.#files = flowFiles(options.directoryName, context);
    this.#source = new FileSource(options, context);
    this.#taker = new FileTaker(options, context, this.#source);
  }

  /** The number of messages that it made. Does not reject. */
  async poll(stopped: () => boolean): Promise<number> {
    try {
      const taken = await this.#poll(stopped);
      this.#lastProblem = "";
      if (taken === 0 && this.#options.sendEmptyMessageWhenIdle && !stopped()) await this.#sendEmpty();
      return taken;
    } catch (error) {
      // Once, not at every poll.
      const problem = `files cannot be looked for in '${this.#options.directoryName}': ${exceptionMessage(error)}`;
      if (problem !== this.#lastProblem) this.#context.log("WARN", "file", problem);
      this.#lastProblem = problem;
      return 0;
    }
  }

  async #poll(stopped: () => boolean): Promise<number> {
    const files = this.#files();
    await this.#prepare(files);
    const found = await this.#source.find(files);
    let taken = 0;
    for (const [index, file] of found.entries()) {
      if (stopped()) this.#source.giveBack(files.area, file);
      else if (await this.#taker.take(files, file, index, found.length)) taken += 1;
    }
    return taken;
  }

  /** The first time the directory is made; later it may be missing (Camel: FileEndpoint.createConsumer, FileConsumer.pollDirectory). */
  async #prepare({ area, disk }: FlowFiles): Promise<void> {
    const { autoCreate, startingDirectoryMustExist, directoryMustExist } = this.#options;
    if (!this.#begun && autoCreate) await disk.makeRoom(area.path);
    const stats = await disk.stat(area.path);
    if (stats?.isDirectory() !== true && (directoryMustExist || (!this.#begun && startingDirectoryMustExist))) {
      throw new Error("the directory does not exist");
    }
    this.#begun = true;
  }

  async #sendEmpty(): Promise<void> {
    const { uri, process, routeId, limits } = this.#context;
    await this.#context.room();
    const work = {
      cause: "file",
      uri,
      parent: undefined,
      exchange: (run) => new Exchange(run, routeId, blankExchange(limits).message),
      process,
    } as const satisfies Parameters<ConsumerContext["announce"]>[0];
    // What goes wrong in the route is in the run's record.
    await this.#context.announce(work).catch(() => {});
  }
}
