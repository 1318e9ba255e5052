/** The workspace: a folder of flows, `<id>.yaml` and `<id>.flow.yaml` each, which other programs may change at any time. */
import { promises as fs } from "node:fs";
import { join } from "node:path";
import { flowIdProblem } from "../../shared/ids.ts";
import type { DeployedRecord, FailedRecord, FlowEntry, FlowFile, FlowWrite } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { codeOf, Refused } from "../refused.ts";
import { hashOfOptions, readCompanion, writeCompanion } from "./companion.ts";
import { DesignerState } from "./designer-state.ts";
import { type Draft, draft, removeFile, sweep } from "./durable.ts";
import { type FileFacts, type FlowTexts, problemFacts, readTexts, stampOfFlow } from "./flow-texts.ts";
import { MappingFiles } from "./mapping-files.ts";
import { caseClash, companionFile, flowFile, flowFiles, type NamedFile } from "./names.ts";
import { NewFiles } from "./new-files.ts";
import { holds, type Precondition, refuseUnconditional } from "./precondition.ts";
import { Turns } from "./turns.ts";

/** A file younger than this when it is read may change again without another time of change. */
const racyMs = 2000;

export class Workspace {
  readonly directory: string;
  readonly mappings: MappingFiles;
  readonly #state: DesignerState;
  readonly #turns = new Turns();
  #known = new Map<string, { readonly stamp: string; readonly facts: FileFacts }>();

  private constructor(directory: string, state: DesignerState) {
    this.directory = directory;
    this.#state = state;
    this.mappings = new MappingFiles(directory, state);
  }

  /** Makes the folder if it is not there. `warn`: for what was found and mended. */
  static async open(directory: string, warn: (message: string) => void): Promise<Workspace> {
    const own = join(directory, ".designer");
    await fs.mkdir(join(own, "examples"), { recursive: true });
    await fs.access(directory, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    for (const one of [directory, own, join(own, "examples")]) await sweep(one);
    await MappingFiles.sweep(directory);
    await NewFiles.sweep(directory);
    return new Workspace(directory, await DesignerState.open(own, warn));
  }

  /** Throws Refused. */
  async list(): Promise<FlowEntry[]> {
    const found = await this.facts();
    return found.map((facts) => this.#entry(facts));
  }

  /** What the files say, without what the designer remembers of them. */
  async facts(): Promise<readonly FileFacts[]> {
    const files = flowFiles(await fs.readdir(this.directory));
    if (files.length > limits.flows)
      throw new Refused(
        422,
        `the workspace has ${files.length} files of flows, and at most ${limits.flows} are shown: use several folders`,
      );
    const known = new Map<string, { readonly stamp: string; readonly facts: FileFacts }>();
    const found: (FileFacts | undefined)[] = [];
    for (let from = 0; from < files.length; from += 16)
      found.push(...(await Promise.all(files.slice(from, from + 16).map((named) => this.#look(named, known)))));
    this.#known = known;
    return found.filter((facts) => facts !== undefined);
  }

  /** Throws Refused: 400, 404, 422. */
  async read(id: string): Promise<FlowFile> {
    refuseId(id);
    const texts = await readTexts(this.directory, id);
    if (texts === undefined) throw new Refused(404, `there is no flow '${id}' in the workspace`);
    return this.#file(texts);
  }

  /** Writes a flow as one change, or nothing. Throws Refused. */
  async write(id: string, sent: FlowWrite, when: Precondition): Promise<{ created: boolean; file: FlowFile }> {
    refuseId(id);
    refuseText(sent.yaml);
    refuseSize("the companion", sent.companion);
    return this.#turns.take(id.toLowerCase(), async () => {
      const now = await this.#present(id, when);
      const name = companionFile(id);
      const companion = newCompanion(name, now?.companion, sent);
      refuseSize(name, companion);
      const paths = now?.paths ?? { yaml: join(this.directory, flowFile(id)), companion: join(this.directory, name) };
      const drafts: (readonly [Draft, boolean])[] = [];
      try {
        if (sent.yaml !== now?.yaml) drafts.push([await draft(paths.yaml, sent.yaml), now === undefined]);
        if (companion !== now?.companion && companion !== undefined)
          drafts.push([await draft(paths.companion, companion), now?.companion === undefined]);
        // What another program has written while the new content went to the disk is not lost.
        const latest = await readTexts(this.directory, id);
        if (latest?.etag !== now?.etag) throw conflict(id, latest);
        for (const [one, isNew] of drafts) await (isNew ? one.create() : one.replace());
        if (companion === undefined && now?.companion !== undefined) await removeFile(paths.companion);
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
        throw conflict(id, await readTexts(this.directory, id));
      } finally {
        for (const [one] of drafts) await one.discard();
      }
      await this.#state.setDraft(id, sent.draft === true);
      return { created: now === undefined, file: await this.read(id) };
    });
  }

  /** Deletes both files of a flow, and what the designer remembers of it. Throws Refused. */
  async remove(id: string, when: Precondition): Promise<void> {
    refuseId(id);
    await this.#turns.take(id.toLowerCase(), async () => {
      if (when.match === undefined) throw new Refused(428, "send the version to delete as If-Match");
      const now = await readTexts(this.directory, id);
      if (now === undefined) throw new Refused(404, `there is no flow '${id}' in the workspace`);
      if (!holds(when, now.etag)) throw conflict(id, now);
      await removeFile(now.paths.yaml);
      if (now.companion !== undefined) await removeFile(now.paths.companion);
      await removeFile(join(this.directory, ".designer", "examples", `${id}.json`));
      await this.#state.forget(id);
    });
  }

  async recordDeployed(id: string, { target, options, ...sent }: DeployedRecord, author: string): Promise<FlowEntry> {
    await this.read(id);
    const optionsHash = sent.optionsHash ?? hashOfOptions(options ?? {});
    await this.#state.record(id, target, { ...sent, optionsHash, at: new Date().toISOString() }, author);
    return this.#entryOf(id);
  }

  async recordFailed(id: string, { target, ...what }: FailedRecord): Promise<FlowEntry> {
    await this.read(id);
    await this.#state.recordFailed(id, target, { ...what, at: new Date().toISOString() });
    return this.#entryOf(id);
  }

  async forgetDeployed(id: string, target: string): Promise<FlowEntry> {
    await this.read(id);
    await this.#state.forget(id, target);
    return this.#entryOf(id);
  }

  /** The present version, if the change may be made. Throws Refused. */
  async #present(id: string, when: Precondition): Promise<FlowTexts | undefined> {
    refuseUnconditional(when, "flow");
    const names = await fs.readdir(this.directory);
    const clash = caseClash(id, names);
    if (clash !== undefined) throw new Refused(409, `'${id}' and '${clash}' differ only by case: choose another id`);
    const now = await readTexts(this.directory, id);
    if (now === undefined && when.match !== undefined) throw conflict(id, undefined);
    if (now === undefined && names.includes(companionFile(id)))
      throw new Refused(
        409,
        `'${companionFile(id)}' is in the workspace without its flow: delete it, or choose another id`,
      );
    if (now !== undefined && !holds(when, now.etag)) throw conflict(id, now);
    return now;
  }

  async #look(
    { file, id, problem }: NamedFile,
    known: Map<string, { readonly stamp: string; readonly facts: FileFacts }>,
  ): Promise<FileFacts | undefined> {
    const { stamp, changedMs } = await stampOfFlow(this.directory, file);
    if (problem !== undefined) return problemFacts(file, problem, changedMs);
    const before = this.#known.get(file);
    if (before?.stamp === stamp) {
      known.set(file, before);
      return before.facts;
    }
    try {
      const texts = await readTexts(this.directory, id);
      // It was deleted since the folder was read.
      if (texts === undefined) return undefined;
      const { yaml: _, options: __, companion: ___, paths: ____, ...facts } = texts;
      if (Date.now() - changedMs > racyMs) known.set(file, { stamp, facts });
      return facts;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return problemFacts(file, error.message, changedMs);
    }
  }

  async #entryOf(id: string): Promise<FlowEntry> {
    const { yaml: _, options: __, companion: ___, ...entry } = await this.read(id);
    return entry;
  }

  #entry(facts: FileFacts): FlowEntry {
    const { id } = facts;
    const [draft, deployed, failed] = [this.#state.isDraft(id), this.#state.deployed(id), this.#state.failed(id)];
    return { ...facts, draft, deployed, failed };
  }

  #file({ companion, paths: _, yaml, options, ...facts }: FlowTexts): FlowFile {
    return { ...this.#entry(facts), yaml, options, ...(companion !== undefined && { companion }) };
  }
}

/** The text of the companion after a write; undefined: there is none. Throws Refused. */
function newCompanion(name: string, before: string | undefined, { companion, options }: FlowWrite): string | undefined {
  if (companion === undefined) return options === undefined ? before : writeCompanion(name, before, options);
  const sent = readCompanion(name, companion);
  if (sent.problem !== undefined) throw new Refused(422, `${sent.problem}. Mend the companion before it is sent`);
  return writeCompanion(name, companion, options ?? sent.options);
}

/** Throws Refused (400). */
export function refuseId(id: string): void {
  const problem = flowIdProblem(id);
  if (problem !== undefined) throw new Refused(400, `'${id.slice(0, 200)}' is not the id of a flow: ${problem}`);
}

function refuseText(yaml: string): void {
  refuseSize("the YAML", yaml);
  if (!yaml.isWellFormed()) throw new Refused(422, "the YAML has half a character (a lone surrogate): remove it");
}

function refuseSize(name: string, text: string | undefined): void {
  const bytes = Buffer.byteLength(text ?? "");
  if (bytes > limits.fileBytes)
    throw new Refused(413, `${name} has ${bytes} bytes, and may have at most ${limits.fileBytes}`);
}

function conflict(id: string, now: FlowTexts | undefined): Refused {
  const current = now === undefined ? null : { yaml: now.yaml, options: now.options, etag: now.etag };
  const what = now === undefined ? "is not there any more" : "was changed meanwhile";
  return new Refused(412, `the flow '${id}' ${what}: compare both versions and decide which one stays`, {
    current,
    ...(now !== undefined && { headers: { ETag: now.etag } }),
  });
}
