/**
 * Done files: a second file whose presence marks the first one as complete (Camel:
 * GenericFileEndpoint.createDoneFileName).
 */
import { basename } from "node:path";

export interface DoneFile {
  /** Returns the name of the done file for this name, both without directories. */
  of(name: string): string;
  /** Whether a name, without directories, is that of a done file. */
  is(name: string): boolean;
  /** true: each file has its own done file. */
  readonly own: boolean;
}

/**
 * Returns undefined without a done file. Throws for placeholders other than `${file:name}` and `${file:name.noext}`.
 */
export function doneFileOf(text: string | undefined): DoneFile | undefined {
  if (text === undefined) return undefined;
  if (text === "") throw new Error("doneFileName is empty");
  const filled = (name: string): string =>
    text.replace("${file:name}", () => name).replace("${file:name.noext}", () => withoutExtension(name));
  const fixed = filled("");
  if (fixed.includes("${")) {
    throw new Error(`doneFileName knows \${file:name} and \${file:name.noext}, found '${text}'`);
  }
  if (/[/\\]/.test(fixed)) throw new Error("a done file is in the directory of its file: doneFileName is a name alone");
  const start = text.indexOf("${");
  return {
    of: (name) => filled(basename(name)),
    is: (name) => (start < 0 ? name === fixed : start > 0 ? name.startsWith(fixed) : name.endsWith(fixed)),
    own: start >= 0,
  };
}

/** Camel's FileUtil.stripExt in its single mode: removes the text from the last dot. */
function withoutExtension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}
