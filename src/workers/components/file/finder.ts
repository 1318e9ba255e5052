/**
 * Finds the files of one poll: those in a directory that match, are ready and not taken yet, in their order (Camel:
 * GenericFileConsumer).
 */
import { basename, dirname, join } from "node:path";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { blankExchange } from "../../engine/exchange.ts";
import { IdempotentRepository } from "../../engine/idempotent-repository.ts";
import { doneFileOf } from "./done-file.ts";
import type { FlowFiles } from "./flow-files.ts";
import { type FoundFile, fileHeaders, type Name, nameOf } from "./headers.ts";
import type { FileOptions } from "./options.ts";
import { ReadLock } from "./read-lock.ts";
import { nameFilter, shuffled, sorterOf } from "./selection.ts";
import { mostEntries, type Visitor, walk } from "./walk.ts";

type FinderContext = Pick<EndpointContext, "limits" | "template" | "condition">;

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
  /** As many as one poll can find, so that a consumer that leaves files in place reads none twice (Camel: 1000). */
  readonly #taken = new IdempotentRepository(mostEntries);
  /** Files that could be neither taken nor moved away, by path, size and time. */
  readonly #leftAlone = new IdempotentRepository(mostEntries);
  readonly done: ReturnType<typeof doneFileOf>;

  constructor(options: FileOptions, context: FinderContext) {
    const { noop, idempotent = noop, idempotentKey = "${file:absolute.path}" } = options;
    const condition = (text: string | undefined) => (text === undefined ? undefined : context.condition(text));
    this.#options = options;
    this.#context = context;
    this.#wanted = nameFilter(options);
    this.#only = both(nameOf(options.fileName, context), condition(options.filterFile));
    this.#filterDirectory = condition(options.filterDirectory);
    this.#key = idempotent ? nameOf(idempotentKey, context) : undefined;
    this.#sorter = sorterOf(options.sortBy, context);
    this.#lock = new ReadLock(options);
    this.done = doneFileOf(options.doneFileName);
  }

  /** Callers must take each of these files or give it back. */
  async find({ area, disk }: FlowFiles): Promise<readonly FoundFile[]> {
    const { maxMessagesPerPoll: most, eagerMaxMessagesPerPoll: eager, shuffle } = this.#options;
    const about = (file: FoundFile): Exchange => this.#about(area, file);
    const found: FoundFile[] = [];
    this.#lock.next();
    const visitor: Visitor = {
      enters: (directory) => this.#filterDirectory?.(about(directory)) ?? true,
      meets: async (file, siblings) => {
        if (!disk.inProgress.has(file.path) && this.#accepts(file, siblings, about)) found.push(file);
        return !(eager && most > 0 && found.length >= most);
      },
    };
    await walk(area, disk, this.#options, visitor);
    const sorted = this.#sorter?.(found, about) ?? found;
    const all = shuffle ? shuffled(sorted) : sorted;
    if (most <= 0 || all.length <= most) return all;
    for (const file of all.slice(most)) this.giveBack(area, file);
    return all.slice(0, most);
  }

  /** The file was taken, and its route has succeeded. */
  finished(area: FlowFiles["area"], file: FoundFile): void {
    if (this.#key !== undefined) this.#taken.add(this.#key(this.#about(area, file)));
  }

  /** Releases the file, so that it may be found again. */
  giveBack(area: FlowFiles["area"], file: FoundFile): void {
    if (this.#key !== undefined) this.#taken.delete(this.#key(this.#about(area, file)));
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
    if (!this.#wanted(name, file.name) || this.#leftAlone.has(identity(file))) return false;
    if (this.#only !== undefined && !this.#only(about(file), name)) return false;
    if (this.done !== undefined && (this.done.is(name) || !siblings.has(this.done.of(name)))) return false;
    if (!this.#lock.isStill(file)) return false;
    const key = this.#key?.(about(file));
    if (key === undefined) return true;
    return this.#options.idempotentEager ? this.#taken.add(key) : !this.#taken.has(key);
  }

  /** Makes an exchange with only the file's headers. */
  #about(area: FlowFiles["area"], file: FoundFile): Exchange {
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
