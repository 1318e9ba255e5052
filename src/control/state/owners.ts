/** What concerns all that is kept for a flow. */
import type { Owner, OwnerOperations } from "./operations.ts";
import type { Repositories } from "./repositories.ts";
import { Again, type Implemented, rowsPerTurn, type Subject } from "./subject.ts";

export class Owners implements Implemented<OwnerOperations> {
  readonly #repositories: Repositories;
  readonly #subjects: readonly Subject[];

  /** `subjects`: those that keep rows of owners beside their repositories. */
  constructor(repositories: Repositories, subjects: readonly Subject[]) {
    this.#repositories = repositories;
    this.#subjects = subjects;
  }

  forget(owner: Owner): Again | undefined {
    const row = this.#repositories.owner(owner);
    if (row === undefined) return undefined;
    if (!this.#repositories.removeAll(owner)) return new Again([]);
    for (const subject of this.#subjects) {
      if ((subject.forgetRows?.(row.id, rowsPerTurn) ?? 0) >= rowsPerTurn) return new Again([]);
    }
    this.#repositories.dropOwner(owner, row.id);
    return undefined;
  }
}
