/** Reads the two files of a flow from the workspace: `<id>.yaml` and its companion. */
import { createHash } from "node:crypto";
import { promises as fs } from "node:fs";
import { join, sep } from "node:path";
import type { FlowEntry, Options } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { codeOf, Refused } from "../refused.ts";
import { hashOfOptions, readCompanion } from "./companion.ts";
import { readFile } from "./durable.ts";
import { companionFile, flowFile } from "./names.ts";

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

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const noOptions = hashOfOptions({});

/** Reads a flow; undefined: it has no file. Throws Refused for files that cannot be used. */
export async function readTexts(directory: string, id: string): Promise<FlowTexts | undefined> {
  const name = companionFile(id);
  const paths = {
    yaml: await resolveIn(directory, flowFile(id)),
    companion: await resolveIn(directory, name),
  };
  const yaml = await readText(paths.yaml, flowFile(id));
  if (yaml === undefined) return undefined;
  const companion = await readText(paths.companion, name);
  const { options, problem } = readCompanion(name, companion?.text);
  const { description, category } = options;
  return {
    id,
    name: typeof description === "string" && description.trim() !== "" ? description : id,
    category: typeof category === "string" && category !== "" ? category : null,
    hash: yaml.hash,
    optionsHash: hashOfOptions(options),
    modified: new Date(Math.max(yaml.modifiedMs, companion?.modifiedMs ?? 0)).toISOString(),
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
    modified,
    etag: `"${file}"`,
    problem,
  };
}

/** Changes with every change of the file and of its companion, whatever it is. `changedMs`: when one of them was changed at last. */
export async function stampOf(directory: string, file: string): Promise<{ stamp: string; changedMs: number }> {
  const companion = companionFile(file.replace(/\.ya?ml$/i, ""));
  const both = await Promise.all([file, companion].map((name) => stats(join(directory, name))));
  return {
    stamp: both.map((one) => (one ? `${one.ino}:${one.size}:${one.mtimeNs}:${one.ctimeNs}` : "")).join(" "),
    changedMs: Math.max(0, ...both.map((one) => (one ? Number(one.ctimeMs) : 0))),
  };
}

async function stats(path: string) {
  try {
    return await fs.stat(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Throws Refused for a symbolic link that leads out of the directory, or nowhere. */
async function resolveIn(directory: string, name: string): Promise<string> {
  const path = join(directory, name);
  try {
    if (!(await fs.lstat(path)).isSymbolicLink()) return path;
    const real = await fs.realpath(path);
    if (real.startsWith(`${await fs.realpath(directory)}${sep}`)) return real;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && !(await isLink(path))) return path;
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ELOOP") throw error;
  }
  throw new Refused(422, `'${name}' is a symbolic link out of the workspace, or to nothing: put the file itself there`);
}

async function isLink(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

async function readText(path: string, name: string) {
  const bytes = await readFile(path, limits.fileBytes);
  if (bytes === undefined) return undefined;
  const { mtimeMs: modifiedMs } = await fs.stat(path);
  try {
    return { text: utf8.decode(bytes), hash: sha256(bytes), modifiedMs };
  } catch {
    throw new Refused(422, `'${name}' is not UTF-8: convert it`);
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
