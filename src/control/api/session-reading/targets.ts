import type { MockTarget } from "../../../shared/mock.ts";

/** Each step and each pattern once. */
export class Targets {
  readonly all: MockTarget[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(target: MockTarget): number {
    const key = JSON.stringify(target);
    const index = this.#indexes.get(key) ?? this.all.push(target) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}
