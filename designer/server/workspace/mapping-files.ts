/**
 * Mappings of the workspace: `documents/value-mappings/<id>.json` and `documents/message-mappings/<id>.json` beside the flows,
 * where `bulkhead test` finds them. Other programs may change them at any time.
 */
import { promises as fs } from "node:fs";
import { join } from "node:path";
import { flowIdProblem } from "../../shared/ids.ts";
import { type MappingKind, mappingKinds, usesOfMessageMapping } from "../../shared/mapping-uses.ts";
import type { MappingEntry, MappingFile, MappingRecord, MappingWrite } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { codeOf, Refused } from "../refused.ts";
import { hashOfOptions } from "./companion.ts";
import type { DesignerState } from "./designer-state.ts";
import { draft, removeFile, sweep } from "./durable.ts";
import { holds, type Precondition, refuseUnconditional } from "./precondition.ts";
import { readText, resolveIn, stampOf, type TextFile } from "./text-files.ts";
import { Turns } from "./turns.ts";

type Known = Map<string, { readonly stamp: string; readonly facts: Facts }>;
type Facts = Omit<MappingEntry, "draft" | "deployed">;
const noOptions = hashOfOptions({});

export class MappingFiles {
  readonly #directory: string;
  readonly #state: DesignerState;
  readonly #turns = new Turns();
  #known: Known = new Map();

  constructor(directory: string, state: DesignerState) {
    this.#directory = directory;
    this.#state = state;
  }

  /** Removes what writes of an earlier process have left behind. */
  static async sweep(directory: string): Promise<void> {
    for (const kind of mappingKinds) await sweep(folderOf(directory, kind)).catch(() => undefined);
  }

  /** Throws Refused. */
  async list(): Promise<readonly MappingEntry[]> {
    const files: (readonly [MappingKind, string])[] = [];
    for (const kind of mappingKinds)
      for (const name of await namesIn(folderOf(this.#directory, kind))) files.push([kind, name]);
    if (files.length > limits.mappings)
      throw new Refused(422, `the workspace has ${files.length} mappings, and at most ${limits.mappings} are shown`);
    const known: Known = new Map();
    const found: Facts[] = [];
    for (const [kind, name] of files) found.push(await this.#look(kind, name, known));
    this.#known = known;
    return found.map((facts) => this.#entry(facts));
  }

  /** Throws Refused: 400, 404, 413, 422. */
  async read(kind: MappingKind, id: string): Promise<MappingFile> {
    refuseId(id);
    const file = await this.#text(kind, id);
    if (file === undefined) throw absent(kind, id);
    return { ...this.#entry(factsOf(kind, id, file)), text: file.text };
  }

  /** Writes a mapping whole, or nothing. Throws Refused. */
  async write(
    kind: MappingKind,
    id: string,
    { text, draft: isDraft = false }: MappingWrite,
    when: Precondition,
  ): Promise<{ readonly created: boolean; readonly file: MappingFile }> {
    refuseId(id);
    refuseUnconditional(when, "mapping");
    const bytes = Buffer.byteLength(text);
    if (bytes > limits.documentBytes)
      throw new Refused(413, `the document has ${bytes} bytes, and may have at most ${limits.documentBytes}`);
    if (!text.isWellFormed()) throw new Refused(422, "the document has half a character (a lone surrogate): remove it");
    return this.#turns.take(keyOf(kind, id).toLowerCase(), async () => {
      const folder = folderOf(this.#directory, kind);
      const now = await this.#text(kind, id);
      if (!holds(when, now && etagOf(now))) throw conflict(kind, id, now);
      const clash = (await namesIn(folder)).find((name) => name !== fileOf(id) && same(name, fileOf(id)));
      if (clash !== undefined) throw new Refused(409, `'${id}' and '${clash}' differ only by case: choose another id`);
      await fs.mkdir(folder, { recursive: true });
      const path = await this.#path(kind, id);
      const drafted = await draft(path, text);
      try {
        // What another program has written while the new content went to the disk is not lost.
        const latest = await this.#text(kind, id);
        if (latest?.hash !== now?.hash) throw conflict(kind, id, latest);
        await (now === undefined ? drafted.create() : drafted.replace());
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
        throw conflict(kind, id, await this.#text(kind, id));
      } finally {
        await drafted.discard();
      }
      await this.#state.setDraft(keyOf(kind, id), isDraft);
      return { created: now === undefined, file: await this.read(kind, id) };
    });
  }

  /** Deletes the file, and what the designer remembers of it. Throws Refused. */
  async remove(kind: MappingKind, id: string, when: Precondition): Promise<void> {
    refuseId(id);
    await this.#turns.take(keyOf(kind, id).toLowerCase(), async () => {
      if (when.match === undefined) throw new Refused(428, "send the version to delete as If-Match");
      const now = await this.#text(kind, id);
      if (now === undefined) throw absent(kind, id);
      if (!holds(when, etagOf(now))) throw conflict(kind, id, now);
      await removeFile(await this.#path(kind, id));
      await this.#state.forget(keyOf(kind, id));
    });
  }

  async recordDeployed(kind: MappingKind, id: string, record: MappingRecord, author: string): Promise<MappingEntry> {
    const { text: _, ...facts } = await this.read(kind, id);
    const { target, hash, revision } = record;
    const what = { hash, revision, optionsHash: noOptions, at: new Date().toISOString() };
    await this.#state.record(keyOf(kind, id), target, what, author);
    return this.#entry(facts);
  }

  async #look(kind: MappingKind, name: string, known: Known): Promise<Facts> {
    const key = `${kind} ${name}`;
    const { stamp, changedMs } = await stampOf(join(folderOf(this.#directory, kind), name));
    const before = this.#known.get(key);
    if (before?.stamp === stamp) {
      known.set(key, before);
      return before.facts;
    }
    const id = name.slice(0, -".json".length);
    const facts = await this.#read(kind, id, name, changedMs);
    // A file that was changed just now may change again without another time of change.
    if (Date.now() - changedMs > 2000) known.set(key, { stamp, facts });
    return facts;
  }

  async #read(kind: MappingKind, id: string, name: string, changedMs: number): Promise<Facts> {
    const problem = flowIdProblem(id);
    if (problem !== undefined)
      return unusable(kind, name, `its name is not the id of a mapping (${problem}): rename it`, changedMs);
    try {
      const file = await this.#text(kind, id);
      return file === undefined ? unusable(kind, name, "it was deleted just now", changedMs) : factsOf(kind, id, file);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return unusable(kind, name, error.message, changedMs);
    }
  }

  #path(kind: MappingKind, id: string): Promise<string> {
    return resolveIn(this.#directory, join("documents", `${kind}-mappings`, fileOf(id)));
  }

  async #text(kind: MappingKind, id: string): Promise<TextFile | undefined> {
    return readText(await this.#path(kind, id), fileOf(id), limits.documentBytes);
  }

  #entry(facts: Facts): MappingEntry {
    const key = keyOf(facts.kind, facts.id);
    return { ...facts, draft: this.#state.isDraft(key), deployed: this.#state.deployed(key) };
  }
}

/** The name of a mapping among what the designer remembers: no flow has a slash in its id. */
function keyOf(kind: MappingKind, id: string): string {
  return `${kind}-mappings/${id}`;
}

function folderOf(directory: string, kind: MappingKind): string {
  return join(directory, "documents", `${kind}-mappings`);
}

function fileOf(id: string): string {
  return `${id}.json`;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await fs.readdir(folder)).filter((name) => !name.startsWith(".") && name.endsWith(".json")).sort();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function factsOf(kind: MappingKind, id: string, file: TextFile): Facts {
  const common = { kind, id, hash: file.hash, etag: etagOf(file), modified: new Date(file.modifiedMs).toISOString() };
  try {
    const document: unknown = JSON.parse(file.text);
    const { name } = typeof document === "object" && document !== null ? (document as { name?: unknown }) : {};
    return {
      ...common,
      name: typeof name === "string" && name.trim() !== "" ? name : id,
      uses: kind === "message" ? usesOfMessageMapping(document) : [],
    };
  } catch {
    return { ...common, name: id, uses: [], problem: "it is not JSON: open it and mend it" };
  }
}

function unusable(kind: MappingKind, name: string, problem: string, changedMs: number): Facts {
  const modified = new Date(changedMs).toISOString();
  return { kind, id: name, name, hash: "", uses: [], modified, etag: `"${name}"`, problem };
}

function etagOf({ hash }: Pick<TextFile, "hash">): string {
  return `"${hash}"`;
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function refuseId(id: string): void {
  const problem = flowIdProblem(id);
  if (problem !== undefined) throw new Refused(400, `'${id.slice(0, 200)}' is not the id of a mapping: ${problem}`);
}

function absent(kind: MappingKind, id: string): Refused {
  return new Refused(404, `there is no ${kind} mapping '${id}' in the workspace`);
}

function conflict(kind: MappingKind, id: string, now: TextFile | undefined): Refused {
  const current = now === undefined ? null : { text: now.text, etag: etagOf(now) };
  const what = now === undefined ? "is not there any more" : "was changed meanwhile";
  return new Refused(412, `the ${kind} mapping '${id}' ${what}: compare both versions and decide which one stays`, {
    current,
    ...(now !== undefined && { headers: { ETag: etagOf(now) } }),
  });
}
