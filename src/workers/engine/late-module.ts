/** Libraries that are dear to load: a flow's thread loads them only if its flow uses them, before the flow is compiled. */

/**
 * A module that is used synchronously once it is there. `module()` throws NotLoaded until then; `withModules`, around every
 * compilation and check, loads what was missing and begins again. So a definition says
 *
 *     const lib = new LateModule(() => import("jsonata"));
 *     ... expression(text) { const { default: jsonata } = lib.module(); ... }
 *
 * and calls `module()` first thing when it is compiled, never for the first time while a run is under way.
 */
export class LateModule<T> {
  readonly #load: () => Promise<T>;
  #module: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Throws NotLoaded. */
  module(): T {
    if (this.#module === undefined) throw new NotLoaded(this);
    return this.#module;
  }

  async load(): Promise<void> {
    this.#module ??= await this.#load();
  }
}

/** Not an error of the flow: whoever reports errors lets this one through. */
export class NotLoaded extends Error {
  readonly missing: LateModule<unknown>;

  constructor(missing: LateModule<unknown>) {
    super("a module that the flow needs is not loaded yet");
    this.name = "NotLoaded";
    this.missing = missing;
  }
}

/** The result of `make`, which is begun again after each module that it finds missing; so it must leave no traces when it throws. */
export async function withModules<T>(make: () => T): Promise<T> {
  for (;;) {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      await error.missing.load();
    }
  }
}

/** A CommonJS library's exports: Node imports them by name, a bundle has them as `default` only. */
export function exportsOf<T extends object>(imported: T): T {
  return "default" in imported ? (imported.default as T) : imported;
}
