/** The flows of a routes directory, and the documents beside them, as tests install them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "../../shared/suggest.ts";
import { contentHash } from "../stores/stores.ts";
import type { TestFile } from "./test-file.ts";
import { BadFile, namesIn, readText } from "./text-files.ts";

export interface SourceDocument {
  /** The path below /_api: `value-mappings/order-status`. */
  readonly path: string;
  readonly text: string;
}

/** In the order of installation: message mappings look words up in value mappings. */
const mappingKinds = ["value-mappings", "message-mappings"];

export class FlowSources {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Returns a flow's text; undefined: there is no such file. */
  yaml(id: string): string | undefined {
    const path = this.#flowPath(id);
    return existsSync(path) ? readText(path) : undefined;
  }

  hash(id: string): string | undefined {
    const yaml = this.yaml(id);
    return yaml === undefined ? undefined : contentHash(yaml);
  }

  /** Returns a file's flows by id. Throws BadFile for one that does not exist. */
  flows(file: TestFile): ReadonlyMap<string, string> {
    return new Map(
      file.flows.map((id) => {
        const yaml = this.yaml(id);
        if (yaml === undefined) throw new BadFile(this.#missingFlowProblem(file, id));
        return [id, yaml];
      }),
    );
  }

  /**
   * Returns the documents that the file names; if it names none, the policies of its flows, the mappings whose ids
   * occur in the text of its flows or of mappings that belong to them, and all connections, of which a flow may use the
   * default without naming it. Throws BadFile for one that does not exist.
   */
  documents(file: TestFile): readonly SourceDocument[] {
    if (file.documents !== undefined) return file.documents.map((path, index) => this.#findNamed(file, path, index));
    const all = mappingKinds.flatMap((kind) => this.#readKind(kind));
    const texts = [...this.flows(file).values()];
    const belonging = new Set<SourceDocument>();
    for (let at = 0; at < texts.length; at += 1) {
      for (const document of all) {
        const id = document.path.slice(document.path.indexOf("/") + 1);
        if (belonging.has(document) || !String(texts[at]).includes(id)) continue;
        belonging.add(document);
        texts.push(document.text);
      }
    }
    const policies = this.#readKind("auth").filter(({ path }) => file.flows.includes(path.slice("auth/".length)));
    return [...all.filter((document) => belonging.has(document)), ...this.#readKind("connections"), ...policies];
  }

  /** A hash that changes whenever the results of a file's tests may change, for watching. */
  fingerprint(file: TestFile, installed: boolean): string {
    const texts = file.flows.map((id) => this.yaml(id) ?? "");
    return contentHash(JSON.stringify([file.source.text, texts, installed && this.documents(file)]));
  }

  #readKind(kind: string): SourceDocument[] {
    const directory = join(this.directory, "documents", kind);
    if (!existsSync(directory)) return [];
    return namesIn(directory)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => ({
        path: `${kind}/${name.slice(0, -".json".length)}`,
        text: readText(join(directory, name)),
      }));
  }

  #findNamed(file: TestFile, path: string, index: number): SourceDocument {
    const all = [...mappingKinds, "connections", "auth"].flatMap((kind) => this.#readKind(kind));
    const found = all.find((document) => document.path === path.replace(/\.json$/, ""));
    if (found !== undefined) return found;
    const { line, column } = file.source.place(["documents", index]);
    const known = all.map((document) => document.path);
    const advice = didYouMean(path, known);
    throw new BadFile(
      `${file.path}:${line}:${column}: there is no document '${path}' in ${join(this.directory, "documents")}${advice}`,
    );
  }

  #missingFlowProblem(file: TestFile, id: string): string {
    const { line, column } = file.source.place([id === file.flow ? "flow" : "with"]);
    const known = existsSync(this.directory) ? namesIn(this.directory).filter((name) => name.endsWith(".yaml")) : [];
    const ids = known.map((name) => name.slice(0, -".yaml".length));
    return `${file.path}:${line}:${column}: there is no flow '${id}' in ${this.directory}${didYouMean(id, ids) || "; --routes names another directory"}`;
  }

  #flowPath(id: string): string {
    return join(this.directory, `${id}.yaml`);
  }
}
