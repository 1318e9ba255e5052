/** Takes a file: moves it ahead, reads it, and has it put away when its run has ended (Camel: GenericFileConsumer.processExchange). */

import { basename } from "node:path";
import { blankExchange } from "../../engine/blank-exchange.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { NewMessage } from "../../engine/source.ts";
import { type Reader, readerOf } from "./content.ts";
import { shortPath } from "./failure.ts";
import type { Files } from "./file-system.ts";
import type { FileFinder } from "./finder.ts";
import { aboutFile, type FoundFile, fileHeaders, moveTarget, type Name } from "./headers.ts";
import { type PolledFile, PutAway, type TakenFile, type TakingOptions } from "./put-away.ts";
import { fileAt } from "./walk.ts";

/** Services of the flow for taking files, for routes and for steps that poll. */
type TakerContext = Pick<EndpointContext, "limits" | "log" | "template">;

type Content = Pick<NewMessage, "body" | "unreadable">;

/** A file that is taken: its message, and the ends that it may have. Exactly one of them must be called; none rejects. */
export interface ClaimedFile {
  /** The file when it was found. */
  readonly found: FoundFile;
  readonly message: NewMessage;
  /** Its route has succeeded. */
  done(exchange: Exchange): Promise<void>;
  failed(exchange: Exchange): Promise<void>;
  /** No route got it: returns it to its place. */
  back(): Promise<void>;
}

export class FileTaker {
  readonly #options: TakingOptions;
  readonly #context: TakerContext;
  readonly #finder: FileFinder;
  readonly #read: Reader;
  readonly #preMove: Name | undefined;
  readonly #away: PutAway;

  /** Throws for contradictory or invalid options. */
  constructor(options: TakingOptions, context: TakerContext, finder: FileFinder) {
    this.#options = options;
    this.#context = context;
    this.#finder = finder;
    this.#read = readerOf(options.charset);
    this.#preMove = moveTarget(options.preMove, context);
    this.#away = new PutAway(options, context, finder);
  }

  /**
   * Moves the file ahead and reads it; until one of its ends nobody else in the thread takes it. Resolves undefined if it
   * was not taken. Does not reject.
   */
  async claim(files: Files, { found, index, size }: PolledFile): Promise<ClaimedFile | undefined> {
    const { inProgress } = files.system;
    if (inProgress.has(found.path)) return undefined;
    inProgress.add(found.path);
    try {
      const file = await this.#ahead(files, found);
      if (file !== undefined) return await this.#claimed(files, { found, file, index, size });
    } catch (error) {
      this.#warn(files, found, "cannot be taken", error);
    }
    await this.#finder.giveBack(files.area, found);
    inProgress.delete(found.path);
    return undefined;
  }

  /** Moves the file ahead and returns it; undefined if it is gone. */
  async #ahead({ area, system }: Files, found: FoundFile): Promise<FoundFile | undefined> {
    if (this.#options.renames === true) await this.#rename(system, found.path);
    const now = await fileAt(found.path, area, system);
    if (now === undefined || this.#preMove === undefined) return now;
    const path = area.anywhere(this.#preMove(aboutFile(blankExchange(this.#context.limits), area, now)));
    await system.move(found.path, path);
    return { ...now, path, name: basename(path) };
  }

  /** Camel: GenericFileRenameExclusiveReadLockStrategy. */
  async #rename(system: Files["system"], path: string): Promise<void> {
    const held = `${path}.camelExclusiveReadLock`;
    await system.move(path, held);
    await system.move(held, path);
  }

  async #claimed(files: Files, taken: TakenFile): Promise<ClaimedFile> {
    const { found, file } = taken;
    const content = await this.#content(files, file);
    const ended = (work: Promise<void>): Promise<void> =>
      work.finally(() => void files.system.inProgress.delete(found.path));
    return {
      found,
      message: this.#message(files, taken, content),
      done: (exchange) => ended(this.#done(files, taken, exchange)),
      failed: (exchange) => ended(this.#failed(files, taken, exchange, content)),
      back: () => ended(this.#back(files, taken)),
    };
  }

  async #failed(files: Files, taken: TakenFile, exchange: Exchange, { unreadable }: Content): Promise<void> {
    await this.#putAway(files, taken, "failed, and cannot be moved", this.#away.failed(files, taken, exchange));
    if (unreadable !== undefined && this.#away.leavesFailed) this.#leaveAlone(taken);
  }

  async #done(files: Files, taken: TakenFile, exchange: Exchange): Promise<void> {
    const problem = "was processed, but cannot be moved or deleted, and is left alone from now on";
    const isAway = await this.#putAway(files, taken, problem, this.#away.done(files, taken, exchange));
    // Without this the file would be taken again without end.
    if (!isAway) this.#leaveAlone(taken);
  }

  /** A list of a server may have another time than the file itself: what was found is found again. */
  #leaveAlone({ found, file }: TakenFile): void {
    this.#finder.leaveAlone(file.path === found.path ? found : file);
  }

  /**
   * A file that cannot be read makes a run that fails, so that run records show it. Rejects when its server is away: then
   * it is not the file that cannot be read.
   */
  async #content({ system }: Files, { path }: FoundFile): Promise<Content> {
    if (this.#options.reads === false) return { body: null };
    try {
      return { body: this.#read(await system.read(path, this.#context.limits.messageBodyBytes)) };
    } catch (error) {
      if (system.away !== undefined) throw error;
      return { body: null, unreadable: { error } };
    }
  }

  async #back(files: Files, { found, file }: TakenFile): Promise<void> {
    await this.#finder.giveBack(files.area, found);
    if (file.path === found.path) return;
    await this.#putAway(files, { file }, "cannot be moved back", files.system.move(file.path, found.path));
  }

  async #putAway(
    files: Files,
    { file }: Pick<TakenFile, "file">,
    problem: string,
    work: Promise<void>,
  ): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      this.#warn(files, file, problem, error);
      return false;
    }
  }

  #message({ area }: Files, { file, index, size }: TakenFile, content: Content): NewMessage {
    const { charset, flatten } = this.#options;
    const name = ["CamelFileName", basename(file.path)] as const;
    return {
      ...content,
      // One that stays in its place comes again with the next poll, unless it cannot be read.
      keeps: !this.#away.leavesFailed || content.unreadable !== undefined,
      headers: [...fileHeaders(area, file), ...(flatten ? [name] : [])],
      properties: [
        ["CamelBatchIndex", index],
        ["CamelBatchSize", size],
        ["CamelBatchComplete", index === size - 1],
        ...(charset === undefined ? [] : [["CamelCharsetName", charset] as const]),
      ],
    };
  }

  #warn({ area }: Files, { path }: FoundFile, what: string, error: unknown): void {
    this.#context.log("WARN", "file", `the file '${shortPath(area.shown(path))}' ${what}: ${exceptionMessage(error)}`);
  }
}
