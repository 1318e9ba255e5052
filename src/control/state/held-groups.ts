/**
 * The completed groups whose steps run in a thread, in memory only: what a thread has that is gone belongs to nobody, and its steps run again in
 * the next one. They last as long as the state thread.
 */
import type { Owner } from "./owner.ts";

interface Held {
  readonly owner: string;
  readonly name: string;
  readonly claimant: number;
}

export class HeldGroups {
  readonly #held = new Map<string, Held>();

  /** Returns the number of the thread that has the group; undefined: none has. */
  holder(owner: Owner, name: string, group: string): number | undefined {
    return this.#held.get(idOf(owner, name, group))?.claimant;
  }

  add(owner: Owner, name: string, group: string, claimant: number): void {
    this.#held.set(idOf(owner, name, group), { owner: ownerName(owner), name, claimant });
  }

  free(owner: Owner, name: string, group: string): void {
    this.#held.delete(idOf(owner, name, group));
  }

  /** Frees all that a thread has. Returns the names of their repositories. */
  abandon(owner: Owner, claimant: number): readonly string[] {
    const names = new Set<string>();
    for (const [id, held] of this.#held) {
      if (held.claimant !== claimant || held.owner !== ownerName(owner)) continue;
      this.#held.delete(id);
      names.add(held.name);
    }
    return [...names];
  }
}

function ownerName({ flowId, incarnation }: Owner): string {
  return `${flowId}\n${incarnation}`;
}

/** No name has a line break. */
function idOf(owner: Owner, name: string, group: string): string {
  return `${ownerName(owner)}\n${name}\n${group}`;
}
