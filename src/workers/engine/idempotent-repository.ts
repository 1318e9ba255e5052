/**
 * Remembers the keys of messages that were processed: in the state store, or in the memory of the flow's thread
 * (Camel: IdempotentRepository).
 */
import type { BeanReference } from "./bean.ts";
import { boundedKey } from "./bounded-text.ts";
import type { Exchange } from "./exchange.ts";
import type { StatePort, UseState, Warn } from "./flow-state.ts";
import type { Run } from "./run.ts";

/** Answers at once, or when the state store has. `run`: the run of the message; undefined: it has none yet. */
export interface IdempotentRepository {
  /** Takes the key for a message; false: another one has it, or had it. */
  add(key: string, run: Run<Exchange> | undefined): boolean | Promise<boolean>;
  contains(key: string, run: Run<Exchange> | undefined): boolean | Promise<boolean>;
  /** The message has been processed: its key stays. */
  confirm(key: string, run: Run<Exchange> | undefined): void | Promise<void>;
  /** The message may come again. */
  remove(key: string, run: Run<Exchange> | undefined): void | Promise<void>;
}

const inMemory = [
  "org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository",
  "org.apache.camel.processor.idempotent.MemoryIdempotentRepository",
];
/** Classes of Camel that keep keys in a file, a database or a cluster: here the state store does. */
const durable = /^org\.apache\.camel\..*\.(?!Memory)\w*(?:IdempotentRepository|MessageIdRepository)$/;

/** Whether the class is one of Camel's idempotent repositories that the state store stands for. */
export function isDurableRepository(type: string): boolean {
  return durable.test(type) && !inMemory.includes(type);
}

const defaultSize = 1000;
const greatestSize = 1_000_000;

/** Keeps keys in memory, and drops the oldest first. */
export class MemoryKeys implements IdempotentRepository {
  readonly #keys = new Set<string>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  add(key: string): boolean {
    const kept = boundedKey(key);
    if (this.#keys.has(kept)) return false;
    if (this.#keys.size >= this.#size) this.#keys.delete(this.#keys.values().next().value as string);
    this.#keys.add(kept);
    return true;
  }

  contains(key: string): boolean {
    return this.#keys.has(boundedKey(key));
  }

  /** A key that was looked for without being taken is kept from here on. */
  confirm(key: string): void {
    this.add(key);
  }

  remove(key: string): void {
    this.#keys.delete(boundedKey(key));
  }

  clear(): void {
    this.#keys.clear();
  }
}

/** Keeps keys in the state store, under a name. */
class StoredKeys implements IdempotentRepository {
  readonly #port: StatePort;
  readonly #name: string;
  /** Keys that are stored, as far as the thread has learnt of them: it does not ask about these again. */
  readonly #known: MemoryKeys | undefined;

  /** `known`: how many stored keys the thread remembers. For keys that only this thread looks for again and again. */
  constructor(port: StatePort, name: string, known: number) {
    this.#port = port;
    this.#name = name;
    if (known === 0) return;
    const keys = new MemoryKeys(known);
    this.#known = keys;
    port.onForgotten(name, (key) => (key === undefined ? keys.clear() : keys.remove(key)));
  }

  async add(key: string, run: Run<Exchange> | undefined): Promise<boolean> {
    return (await this.#ask(run, "claim", key)) === "new";
  }

  async contains(key: string, run: Run<Exchange> | undefined): Promise<boolean> {
    return (await this.#ask(run, "look", key)) !== "none";
  }

  async confirm(key: string, run: Run<Exchange> | undefined): Promise<void> {
    const kept = this.#port.keyOf(key);
    await this.#port.ask(run, "confirm", this.#name, kept);
    this.#known?.add(kept);
  }

  async remove(key: string, run: Run<Exchange> | undefined): Promise<void> {
    const kept = this.#port.keyOf(key);
    this.#known?.remove(kept);
    await this.#port.ask(run, "release", this.#name, kept);
  }

  async #ask(run: Run<Exchange> | undefined, operation: "claim" | "look", key: string): Promise<string> {
    const kept = this.#port.keyOf(key);
    if (this.#known?.contains(kept) === true) return "stored";
    const answer = await this.#port.ask(run, operation, this.#name, kept);
    if (answer === "stored") this.#known?.add(kept);
    return answer;
  }
}

interface Around {
  bean(reference: string): BeanReference | undefined;
  readonly state: UseState;
  readonly warn: Warn;
}

const repositories = new WeakMap<BeanReference, IdempotentRepository>();

/**
 * Returns the repository that a bean's name or `#class:` refers to, which all steps of the flow share that refer to the
 * bean; without a reference one of the state store. `ownName`: the name of a repository that no bean names; `known`: how
 * many stored keys the thread remembers itself. Throws for what is no repository.
 */
export function idempotentRepository(
  reference: string | undefined,
  ownName: string,
  { bean: find, state, warn }: Around,
  known = 0,
): IdempotentRepository {
  const stored = (name: string, evicts: boolean): IdempotentRepository =>
    new StoredKeys(state({ kind: "idempotent", name, evicts }), name, known);
  if (reference === undefined) return stored(ownName, false);
  const bean = find(reference);
  if (bean === undefined) {
    throw new Error(
      `the flow has no bean '${reference}': leave idempotentRepository out, and the keys are in the state store; or declare the bean under 'beans'`,
    );
  }
  if (isDurableRepository(bean.type)) return stored(bean.name ?? ownName, evicts(bean, warn));
  if (!inMemory.includes(bean.type)) {
    throw new Error(`idempotentRepository is a bean of a class such as ${inMemory[0]}, not '${bean.type}'`);
  }
  const keys = repositories.get(bean) ?? new MemoryKeys(sizeOf(bean));
  repositories.set(bean, keys);
  warn(
    "state_in_memory",
    "keys are kept in the memory of the flow's thread: a redeploy or a restart forgets them, and messages that come again then are not known; leave idempotentRepository out to keep them",
  );
  return keys;
}

/** Other properties of Camel's classes configure what they keep keys in. */
function evicts({ properties, type }: BeanReference, warn: Warn): boolean {
  const { eviction, ...others } = properties;
  const names = Object.keys(others);
  if (names.length > 0) {
    const simpleName = type.slice(type.lastIndexOf(".") + 1);
    warn("no_effect", `${names.join(", ")} of the ${simpleName} have no effect: its keys are in the state store`);
  }
  if (eviction === undefined || eviction === "oldest") return eviction === "oldest";
  throw new Error(
    "eviction is 'oldest': at the flow's bound the oldest keys make room; leave it out to refuse new keys",
  );
}

function sizeOf({ properties }: BeanReference): number {
  const { cacheSize } = properties;
  if (cacheSize === undefined) return defaultSize;
  const size = Number(cacheSize);
  if (Number.isInteger(size) && size <= greatestSize) return size > 0 ? size : defaultSize;
  throw new Error(`cacheSize is a whole number of at most ${greatestSize}`);
}
