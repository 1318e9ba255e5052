/**
 * The results of checking flows, kept in `<data>/checked/<id>` so that the next start does not check them again. They
 * are a cache: a file that cannot be read, is damaged or has another key counts as absent, and a flow whose file cannot
 * be written is checked again.
 */
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { randomHex } from "../../shared/ids.ts";
import { type FsPort, nodeFs } from "./fs-port.ts";
import { contentHash } from "./stores.ts";

export interface CheckedModels {
  /** Returns the value that was kept for the flow under this key; undefined: there is none. */
  read(id: string, key: string): Promise<unknown>;
  /** Replaces what was kept for the flow. Never fails. */
  keep(id: string, key: string, value: unknown): void;
  /** Never fails. */
  forget(id: string): void;
  /** Forgets all other flows. */
  keepOnly(ids: ReadonlySet<string>): Promise<void>;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

export const noCheckedModels: CheckedModels = {
  read: () => Promise.resolve(undefined),
  keep() {},
  forget() {},
  keepOnly: () => Promise.resolve(),
  settled: () => Promise.resolve(),
};

export interface CheckedModelOptions {
  readonly dataDirectory: string;
  /** false: the directory may be another process's. */
  readonly mayWrite: () => boolean;
  readonly fs?: FsPort;
}

/** The most bytes that are read; no model is that large. */
const mostBytes = 64 * 1024 * 1024;
const hashLength = 64;
/** Models contain the values of parameters, so that only the runtime's user may read them. */
const fileMode = 0o600;
const directoryMode = 0o700;

export class FileCheckedModels implements CheckedModels {
  readonly #directory: string;
  readonly #mayWrite: () => boolean;
  readonly #fs: FsPort;
  /** The last change of each flow's file. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor({ dataDirectory, mayWrite, fs = nodeFs }: CheckedModelOptions) {
    this.#directory = join(dataDirectory, "checked");
    this.#mayWrite = mayWrite;
    this.#fs = fs;
  }

  async read(id: string, key: string): Promise<unknown> {
    try {
      const bytes = await this.#fs.read(join(this.#directory, id), mostBytes);
      const head = Buffer.from(bytes.buffer, bytes.byteOffset, 2 * hashLength).toString("latin1");
      const content = bytes.subarray(2 * hashLength);
      return head === key + contentHash(content) ? deserialize(content) : undefined;
    } catch {
      return undefined;
    }
  }

  keep(id: string, key: string, value: unknown): void {
    this.#change(id, () => this.#write(id, key, value));
  }

  forget(id: string): void {
    this.#change(id, () => this.#fs.unlink(join(this.#directory, id)));
  }

  async keepOnly(ids: ReadonlySet<string>): Promise<void> {
    if (!this.#mayWrite()) return;
    const names = await this.#fs.names(this.#directory).catch(() => []);
    const strange = names.filter((name) => !ids.has(name) && !this.#writing.has(name));
    await Promise.all(strange.map((name) => this.#fs.unlink(join(this.#directory, name)).catch(() => undefined)));
  }

  async settled(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  #change(id: string, change: () => Promise<void>): void {
    if (!this.#mayWrite()) return;
    const before = this.#writing.get(id) ?? Promise.resolve();
    const changed = before
      .then(change)
      .catch(() => undefined)
      .then(() => {
        if (this.#writing.get(id) === changed) this.#writing.delete(id);
      });
    this.#writing.set(id, changed);
  }

  /**
   * Renames the file when it is complete. It is not synced: what a loss of power leaves of it does not match its hash.
   */
  async #write(id: string, key: string, value: unknown): Promise<void> {
    const content = serialize(value);
    const path = join(this.#directory, id);
    const temp = join(this.#directory, `.${id}.${randomHex(12)}.tmp`);
    await this.#fs.makeDirectory(this.#directory, directoryMode);
    const file = await this.#fs.create(temp, fileMode);
    try {
      try {
        await file.write(Buffer.concat([Buffer.from(key + contentHash(content), "latin1"), content]));
      } finally {
        await file.close();
      }
      await this.#fs.rename(temp, path);
    } catch (error) {
      await this.#fs.unlink(temp).catch(() => undefined);
      throw error;
    }
  }
}
