/**
 * The transaction of a run. The step `transacted` begins it and ends it; the first endpoint in it that can take part in a
 * transaction brings the resource, such as a connection to a database, on which all is done that is to be undone together.
 */
import { FlowException } from "./exception.ts";

/** Both are called once at most, and only one of them. */
export interface TransactedResource {
  /** Rejects when nothing was committed. */
  commit(): Promise<void>;
  /** Does not reject. */
  rollback(): Promise<void>;
}

interface Joined<T> {
  readonly owner: object;
  readonly name: string;
  readonly resource: Promise<T>;
}

export interface TransactionScope {
  /** Present: only this resource takes part, which its owner begins; others act for themselves. */
  readonly only?: { readonly owner: object; readonly begin: () => Promise<TransactedResource> };
  /** The transaction that the run is in already, whose owner stays in it. */
  readonly around?: RunTransaction | undefined;
}

export class RunTransaction {
  readonly #scope: TransactionScope;
  #joined: Joined<TransactedResource> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #over = false;

  constructor(scope: TransactionScope = {}) {
    this.#scope = scope;
  }

  /** true: whichever resource is used first takes part. */
  get isOpen(): boolean {
    return this.#scope.only === undefined;
  }

  /** true: a resource takes part. */
  get isJoined(): boolean {
    return this.#joined !== undefined;
  }

  /** Whether the resource of this owner takes part. */
  takes(owner: object): boolean {
    const { only, around } = this.#scope;
    return only === undefined || only.owner === owner || around?.takes(owner) === true;
  }

  /**
   * Calls `use` with the resource of `owner`, which `begin` makes on first use. Calls take turns. `name`: of the owner, for
   * messages. Rejects with TransactionException for the resource of a second owner: there is no commit of both.
   */
  async with<T extends TransactedResource, R>(
    joining: { readonly owner: object; readonly name: string; readonly begin: () => Promise<T> },
    use: (resource: T) => Promise<R>,
  ): Promise<R> {
    const { owner, name, begin } = joining;
    const { around, only } = this.#scope;
    if (around?.takes(owner) === true) return await around.with(joining, use);
    if (this.#over) throw failure("the transaction of this run has ended");
    this.#joined ??= { owner, name, resource: (only?.begin ?? begin)() };
    const { owner: first, name: other, resource } = this.#joined;
    if (first !== owner)
      throw failure(
        `'${name}' cannot take part in the transaction of '${other}': a transacted route works with one resource. Send to the other one before or behind the transacted steps`,
      );
    const turn = this.#turn.then(async () => await use((await resource) as T));
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  /** Ends the transaction, when all calls have ended. Rejects when it was to be committed and was not. */
  async end(commits: boolean): Promise<void> {
    this.#over = true;
    await this.#turn;
    // A resource that could not be made has failed the call that wanted it.
    const resource = await this.#joined?.resource.catch(() => undefined);
    if (resource === undefined) return;
    if (commits) await resource.commit();
    else await resource.rollback();
  }
}

function failure(message: string): FlowException {
  return new FlowException("org.springframework.transaction.TransactionException", message);
}
