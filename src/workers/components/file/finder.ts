/**
 * Finds the files of one poll: those in a directory that match, are ready and not taken yet, in their order (Camel:
 * GenericFileConsumer).
 */
import { basename, dirname, join } from "node:path";
import { blankExchange } from "../../engine/blank-exchange.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { type IdempotentRepository, MemoryKeys } from "../../engine/idempotent-repository.ts";
import { doneFileOf } from "./done-file.ts";
import type { Files } from "./file-system.ts";
import { type FoundFile, fileHeaders, type Name, nameOf } from "./headers.ts";
import type { FileOptions } from "./options.ts";
import { ReadLock } from "./read-lock.ts";
import { nameFilter, shuffled, sorterOf } from "./selection.ts";
import { mostEntries, type Visitor, walk } from "./walk.ts";

type FinderContext = Pick<EndpointContext, "limits" | "template" | "condition" | "log">;

export class FileFinder {
  readonly #options: FileOptions;
  readonly #context: FinderContext;
  readonly #wanted: ReturnType<typeof nameFilter>;
  /** Tests a file by fileName and filterFile; `name`: its last part. */
  readonly #only: ((exchange: Exchange, name: string) => boolean) | undefined;
  readonly #filterDirectory: ((exchange: Exchange) => boolean) | undefined;
  readonly #key: Name | undefined;
  readonly #sorter: ReturnType<typeof sorterOf>;
  readonly #lock: ReadLock;
  /** Remembers the files that were taken, by their keys; undefined: none is remembered. */
  readonly #taken: IdempotentRepository | undefined;
  /** Files that could be neither taken nor moved away, by path, size and time. */
  readonly #leftAlone = new MemoryKeys(mostEntries);
  readonly done: ReturnType<typeof doneFileOf>;

  /** `taken`: undefined: files that were taken are not remembered. */
  constructor(options: FileOptions, context: FinderContext, taken: IdempotentRepository | undefined) {
    const { idempotentKey = "${file:absolute.path}" } = options;
    const condition = (text: string | undefined) => (text === undefined ? undefined : context.condition(text));
    this.#options = options;
    this.#context = context;
    this.#wanted = nameFilter(options);
    this.#only = both(nameOf(options.fileName, context), condition(options.filterFile));
    this.#filterDirectory = condition(options.filterDirectory);
    this.#key = taken === undefined ? undefined : nameOf(idempotentKey, context);
    this.#taken = taken;
    this.#sorter = sorterOf(options.sortBy, context);
    this.#lock = new ReadLock(options);
    this.done = doneFileOf(options.doneFileName);
  }

  /** Callers must take each of these files or give it back. */
  async find({ area, system }: Files): Promise<readonly FoundFile[]> {
    const { maxMessagesPerPoll: most, eagerMaxMessagesPerPoll: eager, shuffle } = this.#options;
    const about = (file: FoundFile): Exchange => this.#about(area, file);
    const found: FoundFile[] = [];
    const stopsEarly = eager && most > 0;
    this.#lock.next();
    const visitor: Visitor = {
      enters: (directory) => this.#filterDirectory?.(about(directory)) ?? true,
      meets: async (file, siblings) => {
        if (system.inProgress.has(file.path) || !this.#accepts(file, siblings, about)) return true;
        if (!stopsEarly || (await this.#take(area, [file])).length > 0) found.push(file);
        return !(stopsEarly && found.length >= most);
      },
    };
    await walk(area, system, this.#options, visitor);
    const taken = stopsEarly ? found : await this.#take(area, found);
    const sorted = this.#sorter?.(taken, about) ?? taken;
    const all = shuffle ? shuffled(sorted) : sorted;
    if (most <= 0 || all.length <= most) return all;
    for (const file of all.slice(most)) await this.giveBack(area, file);
    return all.slice(0, most);
  }

  /** The file was taken, and its route has succeeded. Resolves when that is durable. */
  async finished(area: Files["area"], file: FoundFile): Promise<void> {
    const key = this.#key?.(this.#about(area, file));
    if (key !== undefined) await this.#taken?.confirm(key, undefined);
  }

  /** Releases the file, so that it may be found again. Does not reject. */
  async giveBack(area: Files["area"], file: FoundFile): Promise<void> {
    const key = this.#key?.(this.#about(area, file));
    if (key === undefined) return;
    try {
      await this.#taken?.remove(key, undefined);
    } catch (error) {
      const problem = `the file '${file.name}' is not taken again until the flow starts anew: ${exceptionMessage(error)}`;
      this.#context.log("WARN", "file", problem);
    }
  }

  /** Ignores the file until its size or time changes. */
  leaveAlone(file: FoundFile): void {
    this.#leftAlone.add(identity(file));
  }

  /** Returns the path of the file's done file; undefined if none is required. */
  doneFile({ path }: FoundFile): string | undefined {
    return this.done === undefined ? undefined : join(dirname(path), this.done.of(basename(path)));
  }

  #accepts(file: FoundFile, siblings: ReadonlySet<string>, about: (file: FoundFile) => Exchange): boolean {
    const name = basename(file.path);
    if (!this.#wanted(name, file.name) || this.#leftAlone.contains(identity(file))) return false;
    if (this.#only !== undefined && !this.#only(about(file), name)) return false;
    if (this.done !== undefined && (this.done.is(name) || !siblings.has(this.done.of(name)))) return false;
    return this.#lock.isStill(file);
  }

  /** Returns those of the files that were not taken before. Rejects with none of them taken. */
  async #take(area: Files["area"], files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
    const key = this.#key;
    const repository = this.#taken;
    if (key === undefined || repository === undefined) return files;
    const { idempotentEager } = this.#options;
    const isNew = async (file: FoundFile): Promise<boolean> => {
      const known = key(this.#about(area, file));
      return idempotentEager ? await repository.add(known, undefined) : !(await repository.contains(known, undefined));
    };
    const answers = await Promise.allSettled(files.map(isNew));
    const taken = files.filter((_, at) => {
      const answer = answers[at];
      return answer?.status === "fulfilled" && answer.value;
    });
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed === undefined) return taken;
    if (idempotentEager) for (const file of taken) await this.giveBack(area, file);
    throw failed.reason;
  }

  /** Makes an exchange with only the file's headers. */
  #about(area: Files["area"], file: FoundFile): Exchange {
    const exchange = blankExchange(this.#context.limits);
    for (const [name, value] of fileHeaders(area, file)) exchange.message.headers.receive(name, value);
    return exchange;
  }
}

function both(fileName: Name | undefined, filter: ((exchange: Exchange) => boolean) | undefined) {
  if (fileName === undefined && filter === undefined) return undefined;
  return (exchange: Exchange, name: string): boolean =>
    (fileName === undefined || fileName(exchange) === name) && (filter === undefined || filter(exchange));
}

function identity({ path, stats }: FoundFile): string {
  return `${stats.size} ${stats.mtimeMs} ${path}`;
}
