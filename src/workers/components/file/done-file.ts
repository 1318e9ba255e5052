/** The second file that says that a first one is complete: beside it, named after it (Camel: GenericFileEndpoint.createDoneFileName). */
import { basename } from "node:path";

export interface DoneFile {
  /** The name of the done file of a file with this name, both without directories. */
  of(name: string): string;
  /** Whether a name, without directories, is a done file's. */
  is(name: string): boolean;
  /** Each file has one of its own. */
  readonly own: boolean;
}

/** undefined: files are complete by themselves. Throws for a text that has other placeholders than `${file:name}` and `${file:name.noext}`. */
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

/** Camel's FileUtil.stripExt in its single mode: up to the last dot. */
function withoutExtension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}
