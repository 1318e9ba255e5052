/** Keeps keys of processed messages in memory, and drops the oldest first (Camel: MemoryIdempotentRepository). */
import type { BeanReference } from "./bean.ts";
import { boundedKey } from "./bounded-text.ts";

const types = [
  "org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository",
  "org.apache.camel.processor.idempotent.MemoryIdempotentRepository",
];
const defaultSize = 1000;
const greatestSize = 1_000_000;

export class IdempotentRepository {
  readonly #keys = new Set<string>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** Returns false for a key that it contains already. */
  add(key: string): boolean {
    const kept = boundedKey(key);
    if (this.#keys.has(kept)) return false;
    if (this.#keys.size >= this.#size) this.#keys.delete(this.#keys.values().next().value as string);
    this.#keys.add(kept);
    return true;
  }

  has(key: string): boolean {
    return this.#keys.has(boundedKey(key));
  }

  delete(key: string): void {
    this.#keys.delete(boundedKey(key));
  }
}

const repositories = new WeakMap<BeanReference, IdempotentRepository>();

/** Returns the repository of a bean, which all steps of the flow share. Throws for a bean that is not a repository. */
export function repositoryOf(bean: BeanReference): IdempotentRepository {
  const present = repositories.get(bean);
  if (present !== undefined) return present;
  if (!types.includes(bean.type)) {
    throw new Error(`idempotentRepository is a bean of type ${types[0]}, not '${bean.type}'`);
  }
  const repository = new IdempotentRepository(sizeOf(bean));
  repositories.set(bean, repository);
  return repository;
}

function sizeOf({ properties }: BeanReference): number {
  const { cacheSize } = properties;
  if (cacheSize === undefined) return defaultSize;
  const size = Number(cacheSize);
  if (Number.isInteger(size) && size <= greatestSize) return size > 0 ? size : defaultSize;
  throw new Error(`cacheSize is a whole number of at most ${greatestSize}`);
}
