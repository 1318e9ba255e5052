/**
 * Processes a file: moves it ahead, reads it, runs the route, and moves or deletes it (Camel:
 * GenericFileConsumer.processExchange).
 */

import { basename } from "node:path";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { blankExchange, type Exchange } from "../../engine/exchange.ts";
import type { NewMessage, Offer, SourceContext } from "../../engine/source.ts";
import { type Reader, readerOf } from "./content.ts";
import { shortPath } from "./failure.ts";
import type { FileFinder } from "./finder.ts";
import type { FlowFiles } from "./flow-files.ts";
import { aboutFile, type FoundFile, fileHeaders, moveTarget, type Name } from "./headers.ts";
import type { FileOptions } from "./options.ts";
import { fileAt } from "./walk.ts";

/** A file that a poll has found (Camel: the properties CamelBatch...). */
export interface PolledFile {
  /** The file when it was found. */
  readonly found: FoundFile;
  readonly index: number;
  /** The number of files of the poll. */
  readonly size: number;
}

export interface TakenFile extends PolledFile {
  /** The file at its present place. */
  readonly file: FoundFile;
}

/** Handles a file after its run: moves, deletes or leaves it (Camel: GenericFileOnCompletion). */
export class PutAway {
  readonly #options: FileOptions;
  readonly #finder: FileFinder;
  readonly #move: Name | undefined;
  readonly #moveFailed: Name | undefined;

  /** Throws for contradictory or invalid options. */
  constructor(options: FileOptions, context: Pick<EndpointContext, "template">, finder: FileFinder) {
    const { noop, move, moveFailed } = options;
    if (options.delete && move !== undefined) throw new Error("You cannot set both delete=true and move options");
    this.#options = options;
    this.#finder = finder;
    this.#move = noop || options.delete ? undefined : moveTarget(move ?? ".camel", context);
    this.#moveFailed = moveTarget(moveFailed, context);
  }

  /** true: a file stays in place after its run has failed. */
  get leavesFailed(): boolean {
    return this.#moveFailed === undefined;
  }

  async done(files: FlowFiles, taken: TakenFile, exchange: Exchange): Promise<void> {
    this.#finder.finished(files.area, taken.found);
    await this.#removeDoneFile(files, taken);
    if (this.#options.delete) await files.disk.remove(taken.file.path);
    else if (this.#move !== undefined) await this.#moveAway(files, taken, this.#move, exchange);
  }

  async failed(files: FlowFiles, taken: TakenFile, exchange: Exchange): Promise<void> {
    this.#finder.giveBack(files.area, taken.found);
    if (this.#moveFailed === undefined) return;
    await this.#removeDoneFile(files, taken);
    await this.#moveAway(files, taken, this.#moveFailed, exchange);
  }

  async #moveAway({ area, disk }: FlowFiles, { file }: TakenFile, name: Name, exchange: Exchange): Promise<void> {
    const to = area.anywhere(name(aboutFile(exchange, area, file)));
    if (to !== file.path) await disk.move(file.path, to);
  }

  /** A done file for several files is removed with the last file of the poll. */
  async #removeDoneFile({ disk }: FlowFiles, { found, index, size }: TakenFile): Promise<void> {
    const path = this.#finder.doneFile(found);
    if (path === undefined || this.#options.noop) return;
    if (this.#finder.done?.own === true || index === size - 1) await disk.remove(path);
  }
}

type Content = Pick<NewMessage, "body" | "unreadable">;

export class FileTaker {
  readonly #options: FileOptions;
  readonly #context: SourceContext;
  readonly #finder: FileFinder;
  readonly #read: Reader;
  readonly #preMove: Name | undefined;
  readonly #away: PutAway;

  /** Throws for contradictory or invalid options. */
  constructor(options: FileOptions, context: SourceContext, finder: FileFinder) {
    this.#options = options;
    this.#context = context;
    this.#finder = finder;
    this.#read = readerOf(options.charset);
    this.#preMove = moveTarget(options.preMove, context);
    this.#away = new PutAway(options, context, finder);
  }

  /** Takes the file at this index of its poll; resolves false if it was not taken. Does not reject. */
  async take(files: FlowFiles, { found, index, size }: PolledFile, offer: Offer): Promise<boolean> {
    const { inProgress } = files.disk;
    if (inProgress.has(found.path)) return false;
    inProgress.add(found.path);
    try {
      const file = await this.#ahead(files, found);
      if (file !== undefined) return await this.#through(files, { found, file, index, size }, offer);
      this.#finder.giveBack(files.area, found);
      return false;
    } catch (error) {
      this.#finder.giveBack(files.area, found);
      this.#warn(files, found, "cannot be taken", error);
      return false;
    } finally {
      inProgress.delete(found.path);
    }
  }

  /** Moves the file ahead and returns it; undefined if it is gone. */
  async #ahead({ area, disk }: FlowFiles, found: FoundFile): Promise<FoundFile | undefined> {
    const now = await fileAt(found.path, area, disk);
    if (now === undefined || this.#preMove === undefined) return now;
    const path = area.anywhere(this.#preMove(aboutFile(blankExchange(this.#context.limits), area, now)));
    await disk.move(found.path, path);
    return { ...now, path, name: basename(path) };
  }

  async #through(files: FlowFiles, taken: TakenFile, offer: Offer): Promise<boolean> {
    const { file } = taken;
    const content = await this.#content(files, file);
    const settled = await offer(this.#message(files, taken, content));
    if (settled.outcome === "lost") return await this.#back(files, taken);
    const { exchange } = settled;
    if (settled.outcome === "failed") {
      await this.#putAway(files, taken, "failed, and cannot be moved", this.#away.failed(files, taken, exchange));
      if (content.unreadable !== undefined && this.#away.leavesFailed) this.#finder.leaveAlone(file);
      return true;
    }
    const problem = "was processed, but cannot be moved or deleted, and is left alone from now on";
    const isAway = await this.#putAway(files, taken, problem, this.#away.done(files, taken, exchange));
    // Without this the file would be taken again without end.
    if (!isAway) this.#finder.leaveAlone(file);
    return true;
  }

  /** A file that cannot be read makes a run that fails, so that run records show it. */
  async #content({ disk }: FlowFiles, { path }: FoundFile): Promise<Content> {
    try {
      return { body: this.#read(await disk.read(path, this.#context.limits.messageBodyBytes)) };
    } catch (error) {
      return { body: null, unreadable: { error } };
    }
  }

  /** The run did not begin: returns the file to its place. */
  async #back({ area, disk }: FlowFiles, { found, file }: TakenFile): Promise<false> {
    this.#finder.giveBack(area, found);
    if (file.path !== found.path) await disk.move(file.path, found.path);
    return false;
  }

  async #putAway(files: FlowFiles, { file }: TakenFile, problem: string, work: Promise<void>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      this.#warn(files, file, problem, error);
      return false;
    }
  }

  #message({ area }: FlowFiles, { file, index, size }: TakenFile, content: Content): NewMessage {
    const { charset, flatten } = this.#options;
    const name = ["CamelFileName", basename(file.path)] as const;
    return {
      ...content,
      headers: [...fileHeaders(area, file), ...(flatten ? [name] : [])],
      properties: [
        ["CamelBatchIndex", index],
        ["CamelBatchSize", size],
        ["CamelBatchComplete", index === size - 1],
        ...(charset === undefined ? [] : [["CamelCharsetName", charset] as const]),
      ],
    };
  }

  #warn({ area }: FlowFiles, { path }: FoundFile, what: string, error: unknown): void {
    this.#context.log("WARN", "file", `the file '${shortPath(area.shown(path))}' ${what}: ${exceptionMessage(error)}`);
  }
}
