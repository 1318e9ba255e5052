/** A file's way through its route: moved ahead, read, run, and moved away (Camel: GenericFileOnCompletion, GenericFileRenameProcessStrategy). */
import { basename } from "node:path";
import { blankExchange } from "../../engine/blank-exchange.ts";
import type { ConsumerContext } from "../../engine/component.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { Exchange, Message } from "../../engine/exchange.ts";
import { Headers } from "../../engine/headers.ts";
import type { Run } from "../../engine/run.ts";
import { type Reader, readerOf } from "./content.ts";
import { cut } from "./failure.ts";
import type { FlowFiles } from "./flow-files.ts";
import { type FoundFile, fileHeaders } from "./headers.ts";
import { aboutFile, type Name, targetOf } from "./names.ts";
import type { FileOptions } from "./options.ts";
import type { FileSource } from "./source.ts";
import { fileAt } from "./walk.ts";

/** Where in its poll a file is (Camel: the properties CamelBatch...). */
export interface Place {
  readonly index: number;
  readonly size: number;
}

export class FileTaker {
  readonly #options: FileOptions;
  readonly #context: ConsumerContext;
  readonly #source: FileSource;
  readonly #read: Reader;
  readonly #move: Name | undefined;
  readonly #moveFailed: Name | undefined;
  readonly #preMove: Name | undefined;

  constructor(options: FileOptions, context: ConsumerContext, source: FileSource) {
    const { noop, move, moveFailed, preMove } = options;
    if (options.delete && move !== undefined) throw new Error("You cannot set both delete=true and move options");
    this.#options = options;
    this.#context = context;
    this.#source = source;
    this.#read = readerOf(options.charset);
    this.#move = noop || options.delete ? undefined : targetOf(move ?? ".camel", context);
    this.#moveFailed = targetOf(moveFailed, context);
    this.#preMove = targetOf(preMove, context);
  }

  /** false: it was not taken after all. Does not reject. */
  async take(files: FlowFiles, found: FoundFile, place: Place): Promise<boolean> {
    const { inProgress } = files.disk;
    if (inProgress.has(found.path)) return false;
    inProgress.add(found.path);
    try {
      const file = await this.#ahead(files, found);
      if (file !== undefined) return await this.#through(files, found, file, place);
      this.#source.giveBack(files.area, found);
      return false;
    } catch (error) {
      this.#source.giveBack(files.area, found);
      this.#tell(files, found, "cannot be taken", error);
      return false;
    } finally {
      inProgress.delete(found.path);
    }
  }

  /** The file as it is now, where it is processed; undefined: it is gone. */
  async #ahead(files: FlowFiles, found: FoundFile): Promise<FoundFile | undefined> {
    const { area, disk } = files;
    const now = await fileAt(found.path, area, disk);
    if (now === undefined || this.#preMove === undefined) return now;
    const path = area.anywhere(this.#preMove(aboutFile(blankExchange(this.#context.limits), area, now)));
    await disk.move(found.path, path);
    return { ...now, path, name: basename(path) };
  }

  async #through(files: FlowFiles, found: FoundFile, file: FoundFile, place: Place): Promise<boolean> {
    let exchange: Exchange | undefined;
    const content = await this.#content(files, file);
    try {
      await this.#context.room();
      await this.#context.announce({
        cause: "file",
        uri: this.#context.uri,
        parent: undefined,
        exchange: (run) => {
          exchange = this.#exchange(run, files, file, "body" in content ? content.body : null, place);
          return exchange;
        },
        process: "body" in content ? this.#context.process : () => Promise.reject(content.error),
      });
    } catch (error) {
      if (exchange === undefined) return await this.#back(files, found, file);
      exchange.exception = error;
      await this.#rollBack(files, found, file, exchange, place);
      if (!("body" in content) && this.#moveFailed === undefined) this.#source.leaveAlone(file);
      return true;
    }
    if (exchange !== undefined) await this.#commit(files, found, file, exchange, place);
    return true;
  }

  /** A file that cannot be read makes a run that fails: that is where it is looked for. */
  async #content(
    { disk }: FlowFiles,
    { path }: FoundFile,
  ): Promise<{ readonly body: unknown } | { readonly error: unknown }> {
    try {
      return { body: this.#read(await disk.read(path, this.#context.limits.messageBodyBytes)) };
    } catch (error) {
      return { error };
    }
  }

  /** Its run did not begin: it is where it was. */
  async #back(files: FlowFiles, found: FoundFile, file: FoundFile): Promise<false> {
    this.#source.giveBack(files.area, found);
    if (file.path !== found.path) await files.disk.move(file.path, found.path);
    return false;
  }

  async #commit(files: FlowFiles, found: FoundFile, file: FoundFile, exchange: Exchange, place: Place): Promise<void> {
    const { area, disk } = files;
    try {
      this.#source.finished(area, found);
      await this.#removeDoneFile(files, found, place);
      if (this.#options.delete) await disk.remove(file.path);
      else if (this.#move !== undefined) await this.#moveAway(files, file, this.#move, exchange);
    } catch (error) {
      // It would be taken again for ever.
      this.#source.leaveAlone(file);
      this.#tell(files, file, "was processed, but cannot be moved or deleted, and is left alone from now on", error);
    }
  }

  /** The run's record tells what went wrong in the route. */
  async #rollBack(
    files: FlowFiles,
    found: FoundFile,
    file: FoundFile,
    exchange: Exchange,
    place: Place,
  ): Promise<void> {
    this.#source.giveBack(files.area, found);
    if (this.#moveFailed === undefined) return;
    try {
      await this.#removeDoneFile(files, found, place);
      await this.#moveAway(files, file, this.#moveFailed, exchange);
    } catch (error) {
      this.#tell(files, file, "failed, and cannot be moved", error);
    }
  }

  async #moveAway({ area, disk }: FlowFiles, file: FoundFile, name: Name, exchange: Exchange): Promise<void> {
    const to = area.anywhere(name(aboutFile(exchange, area, file)));
    if (to !== file.path) await disk.move(file.path, to);
  }

  /** One that is there for several files goes with the last file of the poll. */
  async #removeDoneFile({ disk }: FlowFiles, found: FoundFile, { index, size }: Place): Promise<void> {
    const path = this.#source.doneFile(found);
    if (path === undefined || this.#options.noop) return;
    if (this.#source.done?.own === true || index === size - 1) await disk.remove(path);
  }

  #exchange(run: Run, { area }: FlowFiles, file: FoundFile, body: unknown, { index, size }: Place): Exchange {
    const { limits, routeId } = this.#context;
    const { charset, flatten } = this.#options;
    const headers = new Headers(limits);
    for (const [name, value] of fileHeaders(area, file)) headers.receive(name, value);
    if (flatten) headers.receive("CamelFileName", basename(file.path));
    const exchange = new Exchange(run, routeId, new Message(limits, headers, body));
    const { properties } = exchange;
    properties
      .set("CamelBatchIndex", index)
      .set("CamelBatchSize", size)
      .set("CamelBatchComplete", index === size - 1);
    if (charset !== undefined) properties.set("CamelCharsetName", charset);
    return exchange;
  }

  #tell({ area }: FlowFiles, { path }: FoundFile, what: string, error: unknown): void {
    this.#context.log("WARN", "file", `the file '${cut(area.shown(path))}' ${what}: ${exceptionMessage(error)}`);
  }
}
