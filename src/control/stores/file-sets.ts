/**
 * Sets on files. Everything new is written beside what it is to replace; then the journal, `<data>/deployments/journal.json`, lists the
 * renames and removals that are left, which is the commit point; then they are made, and the journal is removed. A boot that finds a
 * journal makes them; one that finds none sweeps what was written beside.
 */
import { dirname, join, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { discard, isTempName, type Move, mostFileBytes, OwnDirectory, replaceFile } from "./durable-files.ts";
import type { FileDocuments } from "./file-documents.ts";
import type { FileFlowStore } from "./file-stores.ts";
import { type FsPort, nodeFs } from "./fs-port.ts";
import type { DocumentKind, SetChange, SetCommitted, SetStore } from "./sets.ts";
import type { Staged } from "./staged-change.ts";
import { errorCode, isAbsent, TornWriteError } from "./store-error.ts";
import type { StoreGuard } from "./store-guard.ts";

export interface FileSetsOptions {
  readonly routesDirectory: string;
  readonly dataDirectory: string;
  readonly flows: FileFlowStore;
  readonly documents: Readonly<Record<DocumentKind, FileDocuments>>;
  readonly guard: StoreGuard;
  readonly fs?: FsPort | undefined;
}

const area = "deployments";
const journalName = "journal.json";
const directoryMode = 0o700;
const fileMode = 0o600;
/** How many files are written, or moved, at the same time. */
const together = 8;

const areas = ["routes", "data"] as const;
const place = z.object({ in: z.enum(areas), path: z.string() });
type Place = z.infer<typeof place>;

const journalSchema = z.object({
  version: z.literal(1),
  /** ISO 8601, UTC. */
  at: z.string(),
  moves: z.array(z.union([z.object({ from: place, to: place }), z.object({ unlink: place })])),
});

export class FileSets implements SetStore {
  readonly #options: FileSetsOptions;
  readonly #fs: FsPort;
  readonly #own: OwnDirectory;
  readonly #roots: Readonly<Record<(typeof areas)[number], string>>;

  constructor(options: FileSetsOptions) {
    this.#options = options;
    this.#fs = options.fs ?? nodeFs;
    this.#own = new OwnDirectory(this.#fs, join(options.dataDirectory, "deployments"), directoryMode);
    this.#roots = { routes: resolve(options.routesDirectory), data: resolve(options.dataDirectory) };
  }

  async recover(): Promise<string | undefined> {
    const found = await this.#readJournal();
    if (found === undefined) return undefined;
    const { at, moves } = found;
    await this.#options.guard.change(area, () => this.#make(moves));
    return `the deployment of ${at}, which was cut off, is complete: ${moves.length} files were put in place or removed`;
  }

  commit({ flows, documents }: SetChange): Promise<SetCommitted> {
    const { guard, flows: flowStore, documents: stores } = this.#options;
    return guard.change(area, async () => {
      const ofFlows = flows.map((change) => () => flowStore.stage(change));
      const ofDocuments = documents.map(
        ({ kind, id, text, by, set }) =>
          () =>
            stores[kind].stage(id, text, { by, set }),
      );
      const staged = await stageAll<Staged<unknown>>([...ofFlows, ...ofDocuments]);
      const moves = staged.flatMap((one) => one.moves);
      try {
        await this.#writeJournal(moves);
      } catch (error) {
        // After a torn write the journal may be there: what it names must stay for the next boot.
        if (!(error instanceof TornWriteError)) await discardAll(staged);
        throw error;
      }
      await this.#make(moves);
      const results = staged.map((one) => one.finish());
      for (const one of staged) await one.settle();
      return {
        flows: results.slice(0, flows.length) as SetCommitted["flows"],
        documents: results.slice(flows.length) as SetCommitted["documents"],
      };
    });
  }

  /** The commit point. The names that it lists are on the disk before it is. */
  async #writeJournal(moves: readonly Move[]): Promise<void> {
    await this.#own.ensure();
    for (const directory of directoriesOf(moves)) await this.#fs.syncDirectory(directory);
    const listed = moves.map((move) =>
      "unlink" in move
        ? { unlink: this.#place(move.unlink) }
        : { from: this.#place(move.from), to: this.#place(move.to) },
    );
    const journal: z.input<typeof journalSchema> = { version: 1, at: new Date().toISOString(), moves: listed };
    const bytes = new TextEncoder().encode(`${JSON.stringify(journal)}\n`);
    await replaceFile(this.#fs, this.#journal, bytes, fileMode);
  }

  /** Makes the moves that are not made yet, and removes the journal. Rejects with TornWriteError: the next boot makes the rest. */
  async #make(moves: readonly Move[]): Promise<void> {
    try {
      for (const move of moves) await this.#move(move);
      for (const directory of directoriesOf(moves)) await this.#fs.syncDirectory(directory);
      // A journal that came back would repeat its removals.
      await this.#fs.unlink(this.#journal);
      await this.#own.sync();
    } catch (error) {
      throw new TornWriteError(error, "a deployment is kept in part, and the restart completes it");
    }
  }

  async #move(move: Move): Promise<void> {
    try {
      if ("unlink" in move) await this.#fs.unlink(move.unlink);
      else await this.#fs.rename(move.from, move.to);
    } catch (error) {
      const made = isAbsent(error) && ("unlink" in move || (await this.#fs.facts(move.to)) !== undefined);
      if (!made) throw error;
    }
  }

  async #readJournal(): Promise<{ readonly at: string; readonly moves: readonly Move[] } | undefined> {
    try {
      for (const name of await this.#fs.names(this.#own.path))
        if (isTempName(name)) await discard(this.#fs, join(this.#own.path, name));
      const bytes = await this.#fs.read(this.#journal, mostFileBytes);
      const { at, moves } = journalSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
      return { at, moves: moves.map((move) => this.#moveOf(move)) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      this.#options.guard.torn(new TornWriteError(error, "the journal of deployments cannot be read"));
      throw new Error(`the journal of deployments cannot be read (${errorCode(error)}): nothing can be changed`);
    }
  }

  #moveOf(move: z.output<typeof journalSchema>["moves"][number]): Move {
    if ("unlink" in move) return { unlink: this.#path(move.unlink) };
    return { from: this.#path(move.from), to: this.#path(move.to) };
  }

  get #journal(): string {
    return join(this.#own.path, journalName);
  }

  /** Paths are relative, so that directories may be moved while the runtime does not run. */
  #place(path: string): Place {
    const whole = resolve(path);
    const area = areas.find((one) => whole.startsWith(this.#roots[one] + sep));
    if (area === undefined) throw new Error("a file outside of the directories");
    return { in: area, path: relative(this.#roots[area], whole) };
  }

  #path({ in: area, path }: Place): string {
    const whole = resolve(this.#roots[area], path);
    if (!whole.startsWith(this.#roots[area] + sep)) throw new Error("a path outside of the directories");
    return whole;
  }
}

function directoriesOf(moves: readonly Move[]): ReadonlySet<string> {
  return new Set(moves.map((move) => dirname("unlink" in move ? move.unlink : move.to)));
}

/** Runs all, some at the same time; when one fails, takes back what the others have written. */
async function stageAll<T extends Staged<unknown>>(works: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  for (let from = 0; from < works.length; from += together) {
    const batch = await Promise.allSettled(works.slice(from, from + together).map((work) => work()));
    done.push(...batch.filter((one) => one.status === "fulfilled").map(({ value }) => value));
    const failed = batch.find((one) => one.status === "rejected");
    if (failed === undefined) continue;
    await discardAll(done);
    throw failed.reason;
  }
  return done;
}

async function discardAll(staged: readonly Staged<unknown>[]): Promise<void> {
  for (const one of staged) await one.discard();
}
