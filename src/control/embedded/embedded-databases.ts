/** All embedded databases: a folder and a process for each group of connections, whose names are the same up to the first dot. */
import {
  createReadStream,
  existsSync,
  promises as fs,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groupOf } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import { entries } from "../threads/code.ts";
import type { EmbeddedClient } from "../threads/embedded-client.ts";
import { EmbeddedGroup, type EmbeddedSettings } from "./embedded-group.ts";

export interface EmbeddedOptions {
  /** Absent: the databases end with the runtime. */
  readonly directory?: string | undefined;
  /** The module of the processes; absent: the runtime's own. */
  readonly entry?: URL | undefined;
  readonly limits: Limits;
  /** Returns why the directory may not be used: another process may have it; undefined: it may. */
  refusal?: (() => string | undefined) | undefined;
  log(level: "INFO" | "WARN", message: string): void;
}

/** A copy of a database, for a backup. */
export interface DatabaseCopy {
  /** The group and the file. */
  readonly name: string;
  readonly bytes: number;
  /** Reads the content, once. */
  content(): AsyncIterable<Uint8Array>;
}

export interface GroupStatus {
  readonly group: string;
  /** undefined: no process runs. */
  readonly pid: number | undefined;
  readonly memoryBytes: number;
  readonly restarts: number;
}

const ending = ".sqlite";
/** No connection has such a name. */
const copyName = ".copy";

export class EmbeddedDatabases {
  readonly #options: EmbeddedOptions;
  readonly #groups = new Map<string, EmbeddedGroup>();
  #temporary: string | undefined;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
  }

  /** `lost` is called when the client is of no use any more. Throws an Error with what is wrong. */
  client(settings: EmbeddedSettings, lost: (why: string) => void): EmbeddedClient {
    const refused = this.#options.refusal?.();
    if (refused !== undefined) throw new Error(refused);
    // A connection whose name has no dot has a group to itself.
    return this.#group(groupOf(settings.name) || settings.name).client(settings, lost);
  }

  /** Copies one database after another, each as of one moment. Rejects with an Error. */
  async *copies(): AsyncGenerator<DatabaseCopy> {
    const { directory } = this.#options;
    if (directory === undefined || !existsSync(directory)) return;
    const groups = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const group of groups.map(({ name }) => name).sort()) {
      const folder = join(directory, group);
      for (const file of readdirSync(folder).sort()) {
        if (!file.endsWith(ending) || file.startsWith(".")) continue;
        const path = join(folder, copyName);
        await fs.rm(path, { force: true });
        try {
          await this.#group(group).copy(file, copyName);
          const { size } = await fs.stat(path);
          yield { name: `${group}/${file}`, bytes: size, content: () => createReadStream(path) };
        } finally {
          await fs.rm(path, { force: true });
        }
      }
    }
  }

  status(): readonly GroupStatus[] {
    return [...this.#groups].map(([group, { pid, memoryBytes, restarts }]) => ({ group, pid, memoryBytes, restarts }));
  }

  /** Ends all processes. What was acknowledged is in the files. */
  async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
    if (this.#temporary !== undefined) await fs.rm(this.#temporary, { recursive: true, force: true });
  }

  #group(name: string): EmbeddedGroup {
    let group = this.#groups.get(name);
    if (group === undefined) {
      const { limits, log, entry = entries.embedded } = this.#options;
      group = new EmbeddedGroup({ name, entry, limits, log, folder: () => this.#folder(name) });
      this.#groups.set(name, group);
    }
    return group;
  }

  #folder(group: string): string {
    const { directory } = this.#options;
    if (directory === undefined) this.#temporary ??= mkdtempSync(join(tmpdir(), "bulkhead-databases-"));
    const folder = join(directory ?? (this.#temporary as string), group);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync(folder);
  }
}
