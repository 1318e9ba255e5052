/** Values of keys: what runs and sources keep that is more than a mark. */
import { bytesOf, type KeyRows } from "./key-rows.ts";
import type { Owner, ValueOperations } from "./operations.ts";
import type { Repositories } from "./repositories.ts";
import type { Implemented } from "./subject.ts";
import type { SubjectParts } from "./subject-parts.ts";

interface Parts extends SubjectParts {
  readonly rows: KeyRows;
}

export class Values implements Implemented<ValueOperations> {
  readonly #rows: KeyRows;
  readonly #repositories: Repositories;

  constructor({ rows, repositories }: Parts) {
    this.#rows = rows;
    this.#repositories = repositories;
  }

  get(owner: Owner, name: string, key: string): string | undefined {
    const row = this.#rows.find(owner, name, key);
    return row && (row.value ?? "");
  }

  putIf(
    owner: Owner,
    name: string,
    key: string,
    expected: string | undefined,
    value: string,
    evicts: boolean,
  ): string | undefined {
    const row = this.#rows.find(owner, name, key);
    const present = row && (row.value ?? "");
    if (present !== expected || present === value) return present;
    const keys = row === undefined ? 1 : 0;
    const bytes = bytesOf(key, value) - (row === undefined ? 0 : bytesOf(key, row.value));
    if (evicts && keys > 0) this.#rows.makeRoom(owner, name, keys, bytes);
    this.#rows.refuseMore(owner, keys, bytes);
    this.#rows.put(this.#repositories.make(owner, name, "values"), key, value, keys, bytes);
    return value;
  }

  delete(owner: Owner, name: string, key: string): void {
    const repository = this.#repositories.find(owner, name);
    if (repository !== undefined) this.#rows.removeKey(repository, key);
  }
}
