/** The keys of idempotent repositories (Camel: IdempotentRepository). */
import type { Claims } from "./claims.ts";
import { bytesOf, type KeyRows } from "./key-rows.ts";
import type { KeyOperations, KeyState, Owner } from "./operations.ts";
import type { Repositories } from "./repositories.ts";
import type { Implemented, Subject } from "./subject.ts";
import type { SubjectParts } from "./subject-parts.ts";

interface Parts extends SubjectParts {
  readonly rows: KeyRows;
}

export class Keys implements Implemented<KeyOperations>, Subject {
  readonly #rows: KeyRows;
  readonly #repositories: Repositories;
  readonly #claims: Claims;
  /** The claims whose keys the present transaction stores. */
  readonly #done: (readonly [owner: Owner, name: string, key: string])[] = [];

  constructor({ rows, repositories, claims }: Parts) {
    this.#rows = rows;
    this.#repositories = repositories;
    this.#claims = claims;
  }

  claim(
    owner: Owner,
    name: string,
    key: string,
    claimant: number,
    evicts: boolean,
    earlier: readonly string[],
  ): Exclude<KeyState, "none"> | "new" {
    const state = this.look(owner, name, key, earlier);
    if (state !== "none") return state;
    const bytes = bytesOf(key, null);
    if (!evicts) this.#rows.refuseMore(owner, 1, bytes);
    this.#claims.add(owner, name, key, claimant, bytes);
    return "new";
  }

  look(owner: Owner, name: string, key: string, earlier: readonly string[]): KeyState {
    if (this.#claims.has(owner, name, key)) return "taken";
    const row = this.#rows.find(owner, name, key);
    return row === undefined || earlier.includes(row.run) ? "none" : "stored";
  }

  confirm(owner: Owner, name: string, key: string, evicts: boolean, run: string): void {
    const bytes = bytesOf(key, null);
    if (evicts) this.#rows.makeRoom(owner, name, 1, bytes);
    if (!this.#claims.has(owner, name, key)) this.#rows.refuseMore(owner, 1, bytes);
    const repository = this.#repositories.make(owner, name, "idempotent");
    this.#rows.add(repository, key, run);
    this.#done.push([owner, name, key]);
  }

  release(owner: Owner, name: string, key: string): void {
    const repository = this.#repositories.find(owner, name);
    if (repository !== undefined) this.#rows.removeKey(repository, key);
    this.#claims.free(owner, name, key);
  }

  abandon(owner: Owner, claimant: number): void {
    this.#claims.abandon(owner, claimant);
  }

  /** A message that comes meanwhile must find its twin: among the claims until the key is stored. */
  committed(): void {
    for (const [owner, name, key] of this.#done.splice(0)) this.#claims.free(owner, name, key);
  }

  undone(): void {
    this.#done.length = 0;
  }
}
