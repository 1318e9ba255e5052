/**
 * Libraries that are expensive to load: a flow's thread loads one only if its flow uses it, before the flow is
 * compiled.
 */

/**
 * A module that is used synchronously after it was loaded. `module()` throws NotLoaded before that; `withModules`, around
 * every compilation and check, then loads the module and starts again. So a definition declares
 *
 *     const lib = new LateModule(() => import("jsonata"));
 *     ... expression(text) { const { default: jsonata } = lib.module(); ... }
 *
 * and calls `module()` first when it is compiled, never for the first time during a run.
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

/** Not an error of the flow: code that reports errors must rethrow it. */
export class NotLoaded extends Error {
  readonly missing: LateModule<unknown>;

  constructor(missing: LateModule<unknown>) {
    super("a module that the flow needs is not loaded yet");
    this.name = "NotLoaded";
    this.missing = missing;
  }
}

/**
 * Returns the result of `make`, which is called again after each missing module is loaded, so it must have no effect
 * when it throws.
 */
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

/** Returns the exports of a CommonJS library: Node imports them by name, a bundle has them only as `default`. */
export function exportsOf<T extends object>(imported: T): T {
  return "default" in imported ? (imported.default as T) : imported;
}
