/** Flows and the documents beside them, as files: what `validate` checks and `deploy` sends. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { flowIdProblem, idProblem } from "../shared/ids.ts";
import { readRegularFile } from "../shared/regular-file.ts";
import { didYouMean } from "../shared/suggest.ts";
import { UsageError } from "./errors.ts";

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface FlowFile extends TextFile {
  readonly id: string;
  /** `orders.flow.yaml` beside `orders.yaml`: the flow's options. */
  readonly companion: TextFile | undefined;
}

export type DocumentKind = "value-mappings" | "message-mappings" | "connections" | "auth";

export interface DocumentFile extends TextFile {
  readonly kind: DocumentKind;
  readonly id: string;
}

export interface Project {
  readonly flows: readonly FlowFile[];
  readonly documents: readonly DocumentFile[];
}

/** In the order in which they are checked. */
const kinds: readonly DocumentKind[] = ["connections", "value-mappings", "message-mappings", "auth"];

/**
 * Reads folders of flows and single files: flows (`orders.yaml`), companions, of which the flow beside them is read, and documents below
 * `documents/<kind>/`. Throws UsageError.
 */
export function readProject(paths: readonly string[]): Project {
  const flows = new Map<string, FlowFile>();
  const documents = new Map<string, DocumentFile>();
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw new UsageError(`there is no file ${path}${nearBy(path)}`);
    const found = stat.isDirectory() ? readFolder(path) : readOne(path);
    for (const flow of found.flows) flows.set(flow.path, flow);
    for (const document of found.documents) documents.set(document.path, document);
  }
  return { flows: [...flows.values()], documents: [...documents.values()] };
}

function readFolder(folder: string): Project {
  const root = realpathSync(folder);
  const flows = namesIn(folder)
    .filter((name) => isFlow(name) && statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() !== true)
    .map((name) => readFlow(join(folder, name), root));
  const documents = kinds.flatMap((kind) => {
    const directory = join(folder, "documents", kind);
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return namesIn(directory)
      .filter((name) => name.endsWith(".json"))
      .map((name) => readDocumentFile(join(directory, name), kind, root));
  });
  if (flows.length + documents.length === 0)
    throw new UsageError(`${folder} has no flows (*.yaml) and no documents (documents/<kind>/*.json)`);
  return { flows, documents };
}

function readOne(path: string): Project {
  const kind = kinds.find((one) => basename(dirname(path)) === one);
  if (path.endsWith(".json") && kind !== undefined) return { flows: [], documents: [readDocumentFile(path, kind)] };
  if (path.endsWith(".flow.yaml")) return { flows: [readFlow(path.replace(/\.flow\.yaml$/, ".yaml"))], documents: [] };
  if (path.endsWith(".yaml")) return { flows: [readFlow(path)], documents: [] };
  throw new UsageError(`${path} is neither a flow (*.yaml) nor a document (${kinds.join("|")}/*.json)`);
}

function readFlow(path: string, root?: string): FlowFile {
  const id = basename(path, ".yaml");
  const problem = flowIdProblem(id);
  if (problem !== undefined) throw new UsageError(`${path}: the name is no id of a flow: ${problem}`);
  const beside = join(dirname(path), `${id}.flow.yaml`);
  const companion = statSync(beside, { throwIfNoEntry: false }) === undefined ? undefined : readText(beside, root);
  return { id, ...readText(path, root), companion };
}

function readDocumentFile(path: string, kind: DocumentKind, root?: string): DocumentFile {
  const id = basename(path, ".json");
  const problem = idProblem(id);
  if (problem !== undefined) throw new UsageError(`${path}: the name is no id: ${problem}`);
  return { kind, id, ...readText(path, root) };
}

/** `root`: the real path of the folder that it was found in, out of which no link may lead. */
function readText(path: string, root?: string): TextFile {
  try {
    if (root !== undefined && !realpathSync(path).startsWith(root + sep))
      throw new Error("it is a symbolic link that leads out of the folder");
    return { path, text: Buffer.from(readRegularFile(path)).toString() };
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isFlow(name: string): boolean {
  return name.endsWith(".yaml") && !name.endsWith(".flow.yaml") && !name.startsWith(".");
}

function namesIn(directory: string): string[] {
  return readdirSync(directory).sort();
}

function nearBy(path: string): string {
  const directory = dirname(path);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return "";
  return didYouMean(basename(path), namesIn(directory));
}

/** Texts by path. */
export function sourcesOf({ flows, documents }: Project): ReadonlyMap<string, string> {
  const companions = flows.flatMap(({ companion }) => (companion === undefined ? [] : [companion]));
  return new Map([...flows, ...companions, ...documents].map(({ path, text }) => [path, text]));
}
