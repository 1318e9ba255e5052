/**
 * The keys of messages under way, in memory only: a thread that is gone has claimed nothing, and its messages may come again. They last as
 * long as the state thread, even if the group's file is set aside.
 */
import type { Owner } from "./operations.ts";

interface Claim {
  readonly holder: string;
  readonly owner: string;
  readonly bytes: number;
}

/** How much the claims of a flow will take when they are confirmed. */
interface Claimed {
  keys: number;
  bytes: number;
}

const nothing: Readonly<Claimed> = { keys: 0, bytes: 0 };

export class Claims {
  readonly #claims = new Map<string, Claim>();
  readonly #byHolder = new Map<string, Set<string>>();
  readonly #byOwner = new Map<string, Claimed>();

  get size(): number {
    return this.#claims.size;
  }

  /** Returns what a flow has claimed. */
  of(owner: Owner): Readonly<Claimed> {
    return this.#byOwner.get(ownerName(owner)) ?? nothing;
  }

  has(owner: Owner, name: string, key: string): boolean {
    return this.#claims.has(claimName(owner, name, key));
  }

  add(owner: Owner, name: string, key: string, claimant: number, bytes: number): void {
    const id = claimName(owner, name, key);
    const ownerId = ownerName(owner);
    const holder = `${ownerId}\n${claimant}`;
    this.#claims.set(id, { holder, owner: ownerId, bytes });
    const held = this.#byHolder.get(holder);
    if (held === undefined) this.#byHolder.set(holder, new Set([id]));
    else held.add(id);
    const claimed = this.#byOwner.get(ownerId) ?? { ...nothing };
    claimed.keys += 1;
    claimed.bytes += bytes;
    this.#byOwner.set(ownerId, claimed);
  }

  /** Frees a key; one that is not claimed stays so. */
  free(owner: Owner, name: string, key: string): void {
    this.#free(claimName(owner, name, key));
  }

  /** Frees all that a thread has claimed. */
  abandon(owner: Owner, claimant: number): void {
    for (const id of this.#byHolder.get(`${ownerName(owner)}\n${claimant}`) ?? []) this.#free(id);
  }

  #free(id: string): void {
    const claim = this.#claims.get(id);
    if (claim === undefined) return;
    this.#claims.delete(id);
    const held = this.#byHolder.get(claim.holder);
    held?.delete(id);
    if (held?.size === 0) this.#byHolder.delete(claim.holder);
    const claimed = this.#byOwner.get(claim.owner);
    if (claimed === undefined) return;
    claimed.keys -= 1;
    claimed.bytes -= claim.bytes;
    if (claimed.keys === 0) this.#byOwner.delete(claim.owner);
  }
}

function ownerName({ flowId, incarnation }: Owner): string {
  return `${flowId}\n${incarnation}`;
}

/** No name has a line break. */
function claimName(owner: Owner, name: string, key: string): string {
  return `${ownerName(owner)}\n${name}\n${key}`;
}
