/** Reads the two files of a flow from the workspace: `<id>.yaml` and its companion. */
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { nameIn } from "../../shared/description.ts";
import { type MappingUse, usesOfFlow } from "../../shared/mapping-uses.ts";
import type { FlowEntry, Options } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { hashOfOptions, readCompanion } from "./companion.ts";
import { companionFile, flowFile } from "./names.ts";
import { readText, resolveIn, sha256, stampOf } from "./text-files.ts";

/** What the files alone say of a flow. */
export type FileFacts = Omit<FlowEntry, "draft" | "deployed" | "failed">;

export interface FlowTexts extends FileFacts {
  readonly yaml: string;
  readonly options: Options;
  /** The companion's text; undefined: there is none. */
  readonly companion: string | undefined;
  /** Where the files are, symbolic links resolved. */
  readonly paths: { readonly yaml: string; readonly companion: string };
}

const noOptions = hashOfOptions({});

/** Reads a flow; undefined: it has no file. Throws Refused for files that cannot be used. */
export async function readTexts(directory: string, id: string): Promise<FlowTexts | undefined> {
  const name = companionFile(id);
  const paths = {
    yaml: await resolveIn(directory, flowFile(id)),
    companion: await resolveIn(directory, name),
  };
  const yaml = await readText(paths.yaml, flowFile(id), limits.fileBytes);
  if (yaml === undefined) return undefined;
  const companion = await readText(paths.companion, name, limits.fileBytes);
  const { options, problem } = readCompanion(name, companion?.text);
  const { description, category } = options;
  return {
    id,
    name: nameIn(description) ?? id,
    category: typeof category === "string" && category !== "" ? category : null,
    hash: yaml.hash,
    optionsHash: hashOfOptions(options),
    modified: new Date(Math.max(yaml.modifiedMs, companion?.modifiedMs ?? 0)).toISOString(),
    mappings: usesOf(yaml.text),
    etag: `"${sha256(`${yaml.hash} ${companion?.hash ?? "-"}`).slice(0, 40)}"`,
    ...(problem !== undefined && { problem }),
    yaml: yaml.text,
    options,
    companion: companion?.text,
    paths,
  };
}

/** The entry of a file that is not used as a flow. */
export function problemFacts(file: string, problem: string, modifiedMs: number): FileFacts {
  const modified = new Date(modifiedMs).toISOString();
  return {
    id: file,
    name: file,
    category: null,
    hash: "",
    optionsHash: noOptions,
    mappings: [],
    modified,
    etag: `"${file}"`,
    problem,
  };
}

/** Changes with every change of the file and of its companion, whatever it is. `changedMs`: when one of them was changed at last. */
export async function stampOfFlow(directory: string, file: string): Promise<{ stamp: string; changedMs: number }> {
  const companion = companionFile(file.replace(/\.ya?ml$/i, ""));
  const both = await Promise.all([file, companion].map((name) => stampOf(join(directory, name))));
  return {
    stamp: both.map(({ stamp }) => stamp).join(" "),
    changedMs: Math.max(...both.map(({ changedMs }) => changedMs)),
  };
}

/** The mappings that the steps of a flow name; none while its text is no YAML. */
export function usesOf(yaml: string): readonly MappingUse[] {
  if (!/mapping|vmap/i.test(yaml)) return [];
  try {
    const documents = parseAllDocuments(yaml, { logLevel: "silent", prettyErrors: false, uniqueKeys: false });
    return usesOfFlow([...documents].map((document) => document.toJS({ maxAliasCount: 50 }) as unknown));
  } catch {
    return [];
  }
}
