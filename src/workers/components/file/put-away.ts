/** Moves, deletes or leaves a file after its run (Camel: GenericFileOnCompletion). */
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Files } from "./file-system.ts";
import type { FileFinder } from "./finder.ts";
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

export interface TakingOptions extends FileOptions {
  /** Where files go without `delete`, `noop` and `move`; undefined: they stay. */
  readonly usualMove: string | undefined;
  /** true: a file is renamed, and back, before it is taken: who writes it holds it fast then. */
  readonly renames?: boolean;
  /** false: its content is not read. */
  readonly reads?: boolean;
}

export class PutAway {
  readonly #options: TakingOptions;
  readonly #finder: FileFinder;
  readonly #move: Name | undefined;
  readonly #moveFailed: Name | undefined;

  /** Throws for contradictory or invalid options. */
  constructor(options: TakingOptions, context: Pick<EndpointContext, "template">, finder: FileFinder) {
    const { noop, move = options.usualMove, moveFailed } = options;
    if (options.delete && options.move !== undefined)
      throw new Error("You cannot set both delete=true and move options");
    this.#options = options;
    this.#finder = finder;
    this.#move = noop || options.delete ? undefined : moveTarget(move, context);
    this.#moveFailed = moveTarget(moveFailed, context);
  }

  /** true: a file stays in place after its run has failed. */
  get leavesFailed(): boolean {
    return this.#moveFailed === undefined;
  }

  async done(files: Files, taken: TakenFile, exchange: Exchange): Promise<void> {
    await this.#finder.finished(files.area, taken.found);
    await this.#removeDoneFile(files, taken);
    if (this.#options.delete) await files.system.remove(taken.file.path);
    else if (this.#move !== undefined) await this.#moveAway(files, taken, this.#move, exchange);
  }

  async failed(files: Files, taken: TakenFile, exchange: Exchange): Promise<void> {
    await this.#finder.giveBack(files.area, taken.found);
    if (this.#moveFailed === undefined) return;
    await this.#removeDoneFile(files, taken);
    await this.#moveAway(files, taken, this.#moveFailed, exchange);
  }

  async #moveAway({ area, system }: Files, { file }: TakenFile, name: Name, exchange: Exchange): Promise<void> {
    const to = area.anywhere(name(aboutFile(exchange, area, file)));
    if (to !== file.path) await system.move(file.path, to);
  }

  /** A done file for several files is removed with the last file of the poll. */
  async #removeDoneFile({ system }: Files, { found, index, size }: TakenFile): Promise<void> {
    const path = this.#finder.doneFile(found);
    if (path === undefined || this.#options.noop) return;
    if (this.#finder.done?.own === true || index === size - 1) await system.remove(path);
  }
}
