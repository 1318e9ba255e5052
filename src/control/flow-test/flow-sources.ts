/** The flows of a routes directory, and the documents beside them, as tests install them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "../../client/json.ts";
import { type Fields, isFields } from "../../shared/document-fields.ts";
import { didYouMean } from "../../shared/suggest.ts";
import { companionName } from "../stores/file-names.ts";
import { contentHash } from "../stores/stores.ts";
import { readTestFile, type TestFile } from "./test-file.ts";
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

  /**
   * Returns the options that a flow of the file is installed with: those of its companion file, over which `params` and
   * `limits` of a test file come. Throws BadFile for a companion file with problems.
   */
  options(file: TestFile, id: string): Fields {
    if (id === file.flow && file.options !== undefined) return file.options;
    // The policy is one of the documents.
    const { policy: _, ...kept } = this.#companion(id);
    if (id !== file.flow) return kept;
    return { ...kept, ...over("params", kept, file.params), ...over("limits", kept, file.limits) };
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
    return [
      ...all.filter((document) => belonging.has(document)),
      ...this.#readKind("connections"),
      ...this.#policies(file),
    ];
  }

  /** A hash that changes whenever the results of a file's tests may change, for watching. */
  fingerprint(file: TestFile, installed: boolean): string {
    const texts = file.flows.map((id) => this.yaml(id) ?? "");
    const options = installed && file.flows.map((id) => this.options(file, id));
    return contentHash(JSON.stringify([file.source.text, texts, options, installed && this.documents(file)]));
  }

  /** Of `documents/auth`, or what the companion file of a flow without one has. */
  #policies({ flows, flow, options }: TestFile): readonly SourceDocument[] {
    const kept = this.#readKind("auth");
    return flows.flatMap((id) => {
      const path = `auth/${id}`;
      const own = kept.find((document) => document.path === path);
      if (own !== undefined) return own;
      // A companion file of tests is installed with all that it has.
      const text = id === flow && options !== undefined ? undefined : this.#companionPolicy(id);
      return text === undefined ? [] : { path, text };
    });
  }

  #companionPolicy(id: string): string | undefined {
    const { policy } = this.#companion(id);
    return policy === undefined || policy === null ? undefined : stringify(policy);
  }

  /** The options in a flow's companion file. Throws BadFile for one with problems: without its policy the flow would be open. */
  #companion(id: string): Fields {
    const path = join(this.directory, companionName(id));
    return existsSync(path) ? (readTestFile(path).options ?? {}) : {};
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

/** An option that is an object by names: each name of the test file comes over that of the companion file. */
function over(option: string, kept: Fields, own: Fields | undefined): Fields {
  if (own === undefined) return {};
  const before = kept[option];
  return { [option]: { ...(isFields(before) && before), ...own } };
}
