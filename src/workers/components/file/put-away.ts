/** Moves, deletes or leaves a file after its run (Camel: GenericFileOnCompletion). */
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FileFinder } from "./finder.ts";
import type { FlowFiles } from "./flow-files.ts";
import { aboutFile, type FoundFile, moveTarget, type Name } from "./headers.ts";
import type { FileOptions } from "./options.ts";

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
    await this.#finder.finished(files.area, taken.found);
    await this.#removeDoneFile(files, taken);
    if (this.#options.delete) await files.disk.remove(taken.file.path);
    else if (this.#move !== undefined) await this.#moveAway(files, taken, this.#move, exchange);
  }

  async failed(files: FlowFiles, taken: TakenFile, exchange: Exchange): Promise<void> {
    await this.#finder.giveBack(files.area, taken.found);
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
