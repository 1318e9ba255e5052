/** The YAML files of the routes directory as they are now, and how they are written. */
import { join, sep } from "node:path";
import { AppError } from "../../shared/errors.ts";
import { idProblem } from "../../shared/ids.ts";
import { type Draft, discard, draftFile, isTempName, OwnDirectory, removeFile, together } from "./durable-files.ts";
import { companionName, flowFileNames, isCompanion, type NamedFile, policyFileName } from "./file-names.ts";
import type { FileFacts, FsPort } from "./fs-port.ts";
import { refuseCaseClash } from "./refusals.ts";
import { errorCode } from "./store-error.ts";
import type { CompanionText, FilesBeside, FlowFile } from "./stores.ts";
import { contentHash } from "./stores.ts";

/** A file younger than this when it is read may change again without a new time of modification (FAT counts in 2 s). */
const racyMs = 2000;
const fileMode = 0o644;
const directoryMode = 0o755;

interface Content {
  readonly hash: string;
  readonly yaml: string;
  readonly problem?: string;
}

interface CacheEntry {
  readonly stamp: string;
  readonly content: Omit<Content, "yaml">;
}

interface Found {
  readonly path: string;
  readonly facts: FileFacts;
  readonly problem?: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class RoutesDirectory {
  readonly #directory: string;
  readonly #own: OwnDirectory;
  readonly #fs: FsPort;
  readonly #mostBytes: number;
  #cache = new Map<string, CacheEntry>();

  /** `mostBytes`: the most bytes that a flow's YAML may have. */
  constructor(fs: FsPort, directory: string, mostBytes: number) {
    this.#fs = fs;
    this.#directory = directory;
    this.#own = new OwnDirectory(fs, directory, directoryMode);
    this.#mostBytes = mostBytes;
  }

  async list(): Promise<FlowFile[]> {
    const cache = new Map<string, CacheEntry>();
    const files: FlowFile[] = [];
    const names = await this.#fs.names(this.#directory);
    const present = new Set(names);
    const look = async (file: string) => {
      const found = await this.#find(file);
      if (found === undefined) return undefined;
      const entry = await this.#makeEntry(file, found);
      cache.set(file, entry);
      return { facts: found.facts, content: entry.content };
    };
    for (const named of flowFileNames(names)) {
      const own = await look(named.file);
      if (own === undefined) continue;
      const companion = companionName(named.id);
      const beside = isCompanion(companion, present) ? await look(companion) : undefined;
      files.push({
        ...describe(named, own.facts, own.content),
        ...(beside !== undefined && { companion: beside.content.hash }),
      });
    }
    this.#cache = cache;
    return files;
  }

  /** Reads a flow's file; undefined: it does not exist. The text is "" when the file has a problem. */
  async read(id: string): Promise<(FlowFile & { readonly yaml: string }) | undefined> {
    const names = this.#fs.names(this.#directory);
    // The directory's names say whether this is the file; it is read meanwhile.
    const [listed, own] = await Promise.allSettled([
      names,
      idProblem(id) === undefined ? this.#open(`${id}.yaml`) : undefined,
    ]);
    if (listed.status === "rejected") throw listed.reason;
    const named = flowFileNames(listed.value).find((other) => other.id === id);
    if (named === undefined) return undefined;
    if (own.status === "rejected") throw own.reason;
    const opened = named.file === `${id}.yaml` ? own.value : await this.#open(named.file);
    if (opened === undefined) return undefined;
    const { facts, content } = opened;
    return { ...describe(named, facts, content), yaml: named.problem === undefined ? content.yaml : "" };
  }

  /** The ids of flows whose file has a companion beside it. */
  async withCompanion(): Promise<readonly string[]> {
    const names = new Set(await this.#fs.names(this.#directory));
    return [...names]
      .filter((name) => isCompanion(name, names))
      .map((name) => name.slice(0, -companionName("").length));
  }

  /** Reads the files beside a flow's. */
  async beside(id: string): Promise<FilesBeside> {
    const read = async (name: string): Promise<CompanionText | undefined> => {
      const opened = await this.#open(name);
      if (opened === undefined) return undefined;
      const { yaml: text, hash, problem } = opened.content;
      return { text, hash, problem };
    };
    const [companion, policy] = await Promise.all([read(companionName(id)), read(policyFileName(id))]);
    return { companion, policy };
  }

  /** Makes the directory if it does not exist, and removes temp files that an interrupted write left. */
  async prepare(): Promise<void> {
    await this.#own.make();
    for (const name of await this.#fs.names(this.#directory)) {
      if (isTempName(name)) await discard(this.#fs, join(this.#directory, name));
    }
  }

  /** When this fulfils, names that a killed process did not sync are on the disk. */
  async sync(): Promise<void> {
    await this.#own.sync();
  }

  /** Rejects when flows may not be written here. */
  async mayWrite(): Promise<void> {
    await this.#own.mayWrite();
  }

  /** Throws id_case_clash, or store_failed when something other than a regular file has the flow's name. */
  async refuseTarget(id: string): Promise<void> {
    const refuseClash = async (): Promise<void> => {
      const names = flowFileNames(await this.#fs.names(this.#directory));
      refuseCaseClash(
        id,
        names.filter(({ file }) => file.endsWith(".yaml")).map(({ file }) => file.slice(0, -".yaml".length)),
      );
    };
    await together([refuseClash(), this.exists(id)]);
  }

  /** Whether the flow's file exists. Throws store_failed when something other than a regular file has its name. */
  async exists(id: string): Promise<boolean> {
    const facts = await this.#fs.facts(this.#path(id));
    if (facts === undefined || facts.kind === "file") return facts !== undefined;
    const kind = facts.kind === "other" ? "special file" : facts.kind === "symlink" ? "symbolic link" : facts.kind;
    throw new AppError("store_failed", `'${id}.yaml' in the routes directory is a ${kind}: move it away first`);
  }

  /** Writes a flow's file that takes its place later. */
  async draft(id: string, content: Uint8Array): Promise<Draft> {
    await this.#own.ensure();
    return draftFile(this.#fs, this.#path(id), content, fileMode);
  }

  pathOf(id: string): string {
    return this.#path(id);
  }

  async remove(id: string): Promise<void> {
    await removeFile(this.#fs, this.#path(id), fileMode);
  }

  #path(id: string): string {
    return join(this.#directory, `${id}.yaml`);
  }

  async #makeEntry(name: string, found: Found): Promise<CacheEntry> {
    const { stamp, changedMs } = found.facts;
    const cached = this.#cache.get(name);
    if (cached?.stamp === stamp && found.problem === undefined) return cached;
    const racy = Date.now() - changedMs < racyMs;
    const { yaml: _, ...content } = await this.#readContent(found);
    return { stamp: racy || content.hash === "" ? "" : stamp, content };
  }

  /** Reads the file of this name; undefined: it does not exist. */
  async #open(name: string): Promise<{ readonly facts: FileFacts; readonly content: Content } | undefined> {
    const found = await this.#find(name);
    return found && { facts: found.facts, content: await this.#readContent(found) };
  }

  /** Finds the file that a name refers to, directly or by a symbolic link. */
  async #find(name: string): Promise<Found | undefined> {
    const path = join(this.#directory, name);
    const facts = await this.#fs.facts(path);
    if (facts?.kind !== "symlink") return facts && { path, facts };
    const refuse = (problem: string): Found => ({ path, facts, problem });
    try {
      const target = await this.#fs.realPath(path);
      const root = await this.#fs.realPath(this.#directory);
      if (!target.startsWith(root + sep)) return refuse("it is a symbolic link that leads out of the routes directory");
      const targetFacts = await this.#fs.facts(target);
      return targetFacts ? { path: target, facts: targetFacts } : refuse("it is a symbolic link to nothing");
    } catch (error) {
      return refuse(`it is a symbolic link that cannot be followed (${errorCode(error)})`);
    }
  }

  async #readContent({ path, facts, problem }: Found): Promise<Content> {
    if (problem !== undefined) return { hash: "", yaml: "", problem };
    if (facts.kind === "directory") return { hash: "", yaml: "", problem: "it is a directory" };
    if (facts.kind !== "file") return { hash: "", yaml: "", problem: "it is not a regular file" };
    if (facts.bytes > this.#mostBytes) {
      const problem = `it has ${facts.bytes} bytes, more than LIMIT_FLOW_YAML_BYTES (${this.#mostBytes})`;
      return { hash: "", yaml: "", problem };
    }
    let bytes: Uint8Array;
    try {
      bytes = await this.#fs.read(path, this.#mostBytes);
    } catch (error) {
      return { hash: "", yaml: "", problem: `it cannot be read (${errorCode(error)})` };
    }
    const hash = contentHash(bytes);
    if (bytes.length === 0) return { hash, yaml: "", problem: "it is empty" };
    try {
      return { hash, yaml: utf8.decode(bytes) };
    } catch {
      return { hash, yaml: "", problem: "it is not UTF-8" };
    }
  }
}

function describe({ id, file, problem }: NamedFile, facts: FileFacts, content: Omit<Content, "yaml">): FlowFile {
  const reason = problem ?? content.problem;
  return {
    id,
    file,
    lastModified: new Date(facts.modifiedMs).toISOString(),
    hash: content.hash,
    bytes: facts.bytes,
    ...(reason !== undefined && { problem: reason }),
  };
}
