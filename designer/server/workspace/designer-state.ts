/** What the designer remembers of flows beside their files: `.designer/state.json` in the workspace. */
import { randomBytes } from "node:crypto";
import { promises as fs } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Deployed, FailedDeployment } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { readFile, replaceFile } from "./durable.ts";

const content = z.object({ hash: z.string(), optionsHash: z.string(), at: z.string() });
const deployed = content.extend({ revision: z.number(), authors: z.record(z.string(), z.string()).default({}) });
const failed = content.extend({ reason: z.string() });
const schema = z.object({
  drafts: z.array(z.string()).default([]),
  /** Flow -> target -> what was deployed there. */
  deployed: z.record(z.string(), z.record(z.string(), deployed)).default({}),
  /** Flow -> target -> what was refused there at last. */
  failed: z.record(z.string(), z.record(z.string(), failed)).default({}),
});

export class DesignerState {
  readonly #path: string;
  readonly #drafts: Set<string>;
  readonly #deployed: ByTarget<Deployed>;
  readonly #failed: ByTarget<FailedDeployment>;
  /** The last write; each waits for the one before. */
  #written: Promise<void> = Promise.resolve();

  private constructor(path: string, { drafts, ...records }: z.output<typeof schema>) {
    this.#path = path;
    this.#drafts = new Set(drafts);
    this.#deployed = byTarget(records.deployed);
    this.#failed = byTarget(records.failed);
  }

  /** Reads `state.json` of the directory. One that cannot be read is put aside under another name, which `warn` is given. */
  static async open(directory: string, warn: (message: string) => void): Promise<DesignerState> {
    const path = join(directory, "state.json");
    const bytes = await readFile(path, limits.stateBytes);
    if (bytes === undefined) return new DesignerState(path, schema.parse({}));
    try {
      return new DesignerState(path, schema.parse(JSON.parse(bytes.toString())));
    } catch {
      const aside = `${path}.aside-${randomBytes(4).toString("hex")}`;
      await fs.rename(path, aside);
      warn(`.designer/state.json cannot be read and is now ${aside}: what was deployed from here is not known`);
      return new DesignerState(path, schema.parse({}));
    }
  }

  isDraft(id: string): boolean {
    return this.#drafts.has(id);
  }

  deployed(id: string): Readonly<Record<string, Deployed>> {
    return Object.fromEntries(this.#deployed.get(id) ?? []);
  }

  async setDraft(id: string, draft: boolean): Promise<void> {
    if (this.#drafts.has(id) === draft) return;
    if (draft) this.#drafts.add(id);
    else this.#drafts.delete(id);
    await this.#save();
  }

  failed(id: string): Readonly<Record<string, FailedDeployment>> {
    return Object.fromEntries(this.#failed.get(id) ?? []);
  }

  /** `author`: who has deployed it. */
  async record(id: string, target: string, what: Omit<Deployed, "authors">, author: string): Promise<void> {
    const before = this.#deployed.get(id)?.get(target)?.authors ?? {};
    const authors = newest({ ...before, [what.revision]: author });
    put(this.#deployed, id, target, { ...what, authors });
    this.#failed.get(id)?.delete(target);
    this.#drafts.delete(id);
    await this.#save();
  }

  async recordFailed(id: string, target: string, what: FailedDeployment): Promise<void> {
    put(this.#failed, id, target, what);
    await this.#save();
  }

  /** Forgets what was deployed to a target, or, without one, all of the flow. */
  async forget(id: string, target?: string): Promise<void> {
    if (target === undefined) {
      this.#deployed.delete(id);
      this.#failed.delete(id);
      this.#drafts.delete(id);
    } else {
      this.#deployed.get(id)?.delete(target);
      this.#failed.get(id)?.delete(target);
    }
    await this.#save();
  }

  #save(): Promise<void> {
    const write = async (): Promise<void> => {
      const drafts = [...this.#drafts].sort();
      const state = { drafts, deployed: plain(this.#deployed), failed: plain(this.#failed) };
      await replaceFile(this.#path, `${JSON.stringify(state, null, 2)}\n`);
    };
    const written = this.#written.then(write, write);
    this.#written = written.catch(() => undefined);
    return written;
  }
}

/** Flow -> target -> what is remembered of both. */
type ByTarget<T> = Map<string, Map<string, T>>;

function byTarget<T>(records: Readonly<Record<string, Readonly<Record<string, T>>>>): ByTarget<T> {
  return new Map(Object.entries(records).map(([id, targets]) => [id, new Map(Object.entries(targets))]));
}

function put<T>(records: ByTarget<T>, id: string, target: string, what: T): void {
  const targets = records.get(id) ?? new Map<string, T>();
  records.set(id, targets.set(target, what));
}

function plain<T>(records: ByTarget<T>): Record<string, Record<string, T>> {
  return Object.fromEntries([...records].map(([id, targets]) => [id, Object.fromEntries(targets)]));
}

/** As many as a runtime keeps revisions of a flow. */
function newest(authors: Readonly<Record<string, string>>): Record<string, string> {
  const revisions = Object.keys(authors).sort((one, other) => Number(other) - Number(one));
  return Object.fromEntries(revisions.slice(0, 10).map((revision) => [revision, authors[revision] ?? ""]));
}
