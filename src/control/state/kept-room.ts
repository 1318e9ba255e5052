/** A few MiB of the disk that are kept aside, so that what removes something works on a full disk, too. */
import { randomFillSync } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFull } from "./group-database.ts";

const keptBytes = 4 * 1024 * 1024;

export class KeptRoom {
  /** undefined: nothing is on the disk. */
  readonly #path: string | undefined;
  #isKept: boolean;

  /** `directory`: of the state store. */
  constructor(directory: string | undefined) {
    this.#path = directory === undefined ? undefined : join(directory, ".room");
    this.#isKept = this.#path !== undefined && existsSync(this.#path);
  }

  /** Keeps the room, unless it is kept already or the disk has none to spare. Throws other errors of the file system. */
  keep(): void {
    if (this.#path === undefined || this.#isKept) return;
    try {
      // A file system may store zeros without taking room for them.
      writeFileSync(this.#path, randomFillSync(Buffer.allocUnsafe(keptBytes)), { mode: 0o600 });
      this.#isKept = true;
    } catch (error) {
      rmSync(this.#path, { force: true });
      if (!isFull(error)) throw error;
    }
  }

  /** Gives the room to what needs it now. Returns false when there is none. */
  give(): boolean {
    if (this.#path === undefined || !this.#isKept) return false;
    this.#isKept = false;
    rmSync(this.#path, { force: true });
    return true;
  }
}
