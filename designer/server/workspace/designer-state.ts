/** What the designer remembers of flows beside their files: `.designer/state.json` in the workspace. */
import { randomBytes } from "node:crypto";
import { promises as fs } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Deployed } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { readFile, replaceFile } from "./durable.ts";

const deployed = z.object({ hash: z.string(), optionsHash: z.string(), revision: z.number(), at: z.string() });
const schema = z.object({
  drafts: z.array(z.string()).default([]),
  /** Flow -> target -> what was deployed there. */
  deployed: z.record(z.string(), z.record(z.string(), deployed)).default({}),
});

export class DesignerState {
  readonly #path: string;
  readonly #drafts: Set<string>;
  readonly #deployed: Map<string, Map<string, Deployed>>;
  /** The last write; each waits for the one before. */
  #written: Promise<void> = Promise.resolve();

  private constructor(path: string, { drafts, deployed: records }: z.output<typeof schema>) {
    this.#path = path;
    this.#drafts = new Set(drafts);
    this.#deployed = new Map(Object.entries(records).map(([id, targets]) => [id, new Map(Object.entries(targets))]));
  }

  /** Reads `state.json` of the directory. One that cannot be read is put aside under another name, which `warn` is given. */
  static async open(directory: string, warn: (message: string) => void): Promise<DesignerState> {
    const path = join(directory, "state.json");
    const bytes = await readFile(path, limits.stateBytes);
    if (bytes === undefined) return new DesignerState(path, { drafts: [], deployed: {} });
    try {
      return new DesignerState(path, schema.parse(JSON.parse(bytes.toString())));
    } catch {
      const aside = `${path}.aside-${randomBytes(4).toString("hex")}`;
      await fs.rename(path, aside);
      warn(`.designer/state.json cannot be read and is now ${aside}: what was deployed from here is not known`);
      return new DesignerState(path, { drafts: [], deployed: {} });
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

  async record(id: string, target: string, what: Deployed): Promise<void> {
    const records = this.#deployed.get(id) ?? new Map<string, Deployed>();
    records.set(target, what);
    this.#deployed.set(id, records);
    this.#drafts.delete(id);
    await this.#save();
  }

  /** Forgets what was deployed to a target, or, without one, all of the flow. */
  async forget(id: string, target?: string): Promise<void> {
    if (target === undefined) {
      this.#deployed.delete(id);
      this.#drafts.delete(id);
    } else this.#deployed.get(id)?.delete(target);
    await this.#save();
  }

  #save(): Promise<void> {
    const write = async (): Promise<void> => {
      const records = [...this.#deployed].map(([id, targets]) => [id, Object.fromEntries(targets)]);
      const state = { drafts: [...this.#drafts].sort(), deployed: Object.fromEntries(records) };
      await replaceFile(this.#path, `${JSON.stringify(state, null, 2)}\n`);
    };
    const written = this.#written.then(write, write);
    this.#written = written.catch(() => undefined);
    return written;
  }
}
