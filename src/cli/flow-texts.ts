/** Files of flows that are rewritten in their place, whatever their names are. */
import { lstatSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readRegularFile } from "../shared/regular-file.ts";
import { UsageError } from "./errors.ts";

export interface FlowText {
  readonly path: string;
  readonly text: string;
}

/** Reads files, and of folders all *.yaml and *.yml except companions (*.flow.yaml). Throws UsageError. */
export function readFlowTexts(paths: readonly string[]): readonly FlowText[] {
  return [...new Set(paths.flatMap(filesOf))].map((path) => ({ path, text: textOf(path) }));
}

function filesOf(path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no file ${path}`);
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => /^[^.].*\.ya?ml$/.test(name) && !/\.flow\.ya?ml$/.test(name));
  if (names.length === 0) throw new UsageError(`${path} has no flows (*.yaml)`);
  return names
    .sort()
    .map((name) => join(path, name))
    .filter((file) => lstatSync(file).isFile());
}

function textOf(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readRegularFile(path));
  } catch (error) {
    const reason =
      error instanceof TypeError ? "it is not UTF-8" : error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read: ${reason}`);
  }
}

/** Replaces a file's text at once, so that nobody reads a half of it. A link stays, and what it names changes. */
export function replaceText(path: string, text: string): void {
  const file = realpathSync(path);
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  try {
    writeFileSync(part, text, { flag: "wx", mode: statSync(file).mode });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new UsageError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
