/** Reads files that are to become flows: each with the id that it gets, its options, and what is wrong with it. */
import { flowIdProblem } from "../../../shared/ids.ts";
import type { FlowEntry, Options } from "../../../shared/wire.ts";
import { slug } from "../model/slug.ts";
import { words } from "../words.ts";

/** The most that the designer's server takes of a file. */
const mostBytes = 1024 * 1024;

/** What counts of a File. */
export type SourceFile = Pick<File, "name" | "size" | "arrayBuffer">;

export interface ImportedFlow {
  /** As it was chosen. */
  readonly file: string;
  /** The id that its name gives. */
  readonly id: string;
  readonly yaml: string;
  /** The companion that was chosen with it. */
  readonly companion: ImportedCompanion | undefined;
  /** The flow of the workspace that has the id. */
  readonly taken: FlowEntry | undefined;
}

interface ImportedCompanion {
  readonly text: string;
  readonly options: Options;
}

export interface RefusedFile {
  readonly file: string;
  /** What is wrong, and where. */
  readonly problem: string;
}

export interface ImportedFiles {
  readonly flows: readonly ImportedFlow[];
  readonly refused: readonly RefusedFile[];
}

/** Each file is a flow or is refused: none is left out without a word. */
export async function readFiles(files: readonly SourceFile[], entries: readonly FlowEntry[]): Promise<ImportedFiles> {
  const named = files.map((file) => ({ file, companionOf: companionOwner(file, files) }));
  const refused: RefusedFile[] = [];
  const flows: ImportedFlow[] = [];
  const seen = new Set<string>();
  for (const { file, companionOf } of named) {
    if (companionOf !== undefined) continue;
    try {
      const id = idOf(file.name);
      if (seen.has(id.toLowerCase())) throw new Error(words.flows.importTwice(id));
      const yaml = await textOf(file);
      await refuseForeign(yaml);
      const beside = named.find((one) => one.companionOf === file.name)?.file;
      const companion = beside && (await readCompanion(beside));
      seen.add(id.toLowerCase());
      const taken = entries.find((entry) => entry.id.toLowerCase() === id.toLowerCase());
      flows.push({ file: file.name, id, yaml, companion, taken });
    } catch (error) {
      refused.push({ file: file.name, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return { flows, refused };
}

/** The file beside which this one is: `orders.yaml` for `orders.flow.yaml`. Without it, it is refused as a flow. */
function companionOwner({ name }: SourceFile, all: readonly SourceFile[]): string | undefined {
  const stem = /^(.*)\.flow\.ya?ml$/i.exec(name)?.[1];
  if (stem === undefined) return undefined;
  return all.find((other) => [`${stem}.yaml`, `${stem}.yml`].includes(other.name))?.name;
}

function idOf(name: string): string {
  const stem = /^(.*)\.ya?ml$/i.exec(name)?.[1];
  if (stem === undefined) throw new Error(words.flows.importNotYaml);
  if (/\.flow$/i.test(stem)) throw new Error(words.flows.importAlone(stem.replace(/\.flow$/i, "")));
  // Kaoto's files are `orders.camel.yaml`.
  const id = stem.replace(/\.camel$/i, "");
  return flowIdProblem(id) === undefined ? id : slug(id);
}

async function textOf(file: SourceFile): Promise<string> {
  if (file.size > mostBytes) throw new Error(words.flows.tooLarge(file.name, "1 MiB"));
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(words.flows.importNotUtf8(file.name));
  }
}

/** Throws for a text that is no YAML, or that has no part of a flow. */
async function refuseForeign(yaml: string): Promise<void> {
  const { isFlowPart, lineColumnAt, parse, tree } = await import("../model/index.ts");
  const flow = parse(yaml);
  const [error] = flow.errors;
  if (error !== undefined) {
    const { line, column } = lineColumnAt(yaml, error.from);
    throw new Error(words.flows.importBroken(line, column, error.message));
  }
  const { routes, others } = tree(flow);
  if (routes.length === 0 && !others.some(({ name }) => isFlowPart(name))) throw new Error(words.flows.importForeign);
}

async function readCompanion(file: SourceFile): Promise<ImportedCompanion> {
  const text = await textOf(file);
  const { parse } = await import("yaml");
  try {
    const value: unknown = parse(text) ?? {};
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { text, options: value as Options };
  } catch (error) {
    throw new Error(words.flows.companionBroken(file.name, error instanceof Error ? error.message : String(error)));
  }
  throw new Error(words.flows.companionBroken(file.name, words.flows.companionNoMap));
}
