/** A file's way through its route: moved ahead, read, run, and put away (Camel: GenericFileConsumer.processExchange). */
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
import { PutAway, type TakenFile } from "./put-away.ts";
import type { FileSource } from "./source.ts";
import { fileAt } from "./walk.ts";

type Content = { readonly body: unknown } | { readonly error: unknown };

export class FileTaker {
  readonly #options: FileOptions;
  readonly #context: ConsumerContext;
  readonly #source: FileSource;
  readonly #read: Reader;
  readonly #preMove: Name | undefined;
  readonly #away: PutAway;

  /** Throws for options that contradict each other or cannot be read. */
  constructor(options: FileOptions, context: ConsumerContext, source: FileSource) {
    this.#options = options;
    this.#context = context;
    this.#source = source;
    this.#read = readerOf(options.charset);
    this.#preMove = targetOf(options.preMove, context);
    this.#away = new PutAway(options, context, source);
  }

  /** The file at this place among those of its poll; false: it was not taken after all. Does not reject. */
  async take(files: FlowFiles, found: FoundFile, index: number, size: number): Promise<boolean> {
    const { inProgress } = files.disk;
    if (inProgress.has(found.path)) return false;
    inProgress.add(found.path);
    try {
      const file = await this.#ahead(files, found);
      if (file !== undefined) return await this.#through(files, { found, file, index, size });
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
  async #ahead({ area, disk }: FlowFiles, found: FoundFile): Promise<FoundFile | undefined> {
    const now = await fileAt(found.path, area, disk);
    if (now === undefined || this.#preMove === undefined) return now;
    const path = area.anywhere(this.#preMove(aboutFile(blankExchange(this.#context.limits), area, now)));
    await disk.move(found.path, path);
    return { ...now, path, name: basename(path) };
  }

  async #through(files: FlowFiles, taken: TakenFile): Promise<boolean> {
    const { file } = taken;
    let exchange: Exchange | undefined;
    const content = await this.#content(files, file);
    try {
      await this.#context.room();
      await this.#context.announce({
        cause: "file",
        uri: this.#context.uri,
        parent: undefined,
        exchange: (run) => {
          exchange = this.#exchange(run, files, taken, "body" in content ? content.body : null);
          return exchange;
        },
        process: "body" in content ? this.#context.process : () => Promise.reject(content.error),
      });
    } catch (error) {
      if (exchange === undefined) return await this.#back(files, taken);
      exchange.exception = error;
      await this.#putAway(files, taken, "failed, and cannot be moved", this.#away.failed(files, taken, exchange));
      if (!("body" in content) && this.#away.leavesFailed) this.#source.leaveAlone(file);
      return true;
    }
    if (exchange === undefined) return true;
    const problem = "was processed, but cannot be moved or deleted, and is left alone from now on";
    const isAway = await this.#putAway(files, taken, problem, this.#away.done(files, taken, exchange));
    // It would be taken again for ever.
    if (!isAway) this.#source.leaveAlone(file);
    return true;
  }

  /** A file that cannot be read makes a run that fails: that is where it is looked for. */
  async #content({ disk }: FlowFiles, { path }: FoundFile): Promise<Content> {
    try {
      return { body: this.#read(await disk.read(path, this.#context.limits.messageBodyBytes)) };
    } catch (error) {
      return { error };
    }
  }

  /** Its run did not begin: it is where it was. */
  async #back({ area, disk }: FlowFiles, { found, file }: TakenFile): Promise<false> {
    this.#source.giveBack(area, found);
    if (file.path !== found.path) await disk.move(file.path, found.path);
    return false;
  }

  async #putAway(files: FlowFiles, { file }: TakenFile, problem: string, work: Promise<void>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      this.#tell(files, file, problem, error);
      return false;
    }
  }

  #exchange(run: Run<Exchange>, { area }: FlowFiles, { file, index, size }: TakenFile, body: unknown): Exchange {
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
