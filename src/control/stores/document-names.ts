/**
 * The names of a document's files: `<id>.document`, and after its removal an empty `<id>.<revision>.removed`, which
 * keeps the numbering going: a name needs no space on a full disk.
 */
import { idProblem } from "../../shared/ids.ts";

export interface RemovalMark {
  readonly file: string;
  readonly id: string;
  /** The last revision of the removed document. */
  readonly revision: number;
}

export interface DocumentNames {
  readonly files: readonly { readonly file: string; readonly id: string; readonly problem?: string }[];
  readonly marks: readonly RemovalMark[];
}

const extension = ".document";
const markName = /^(.+)\.([1-9][0-9]{0,14})\.removed$/;

export function documentName(id: string): string {
  return `${id}${extension}`;
}

export function markNameOf(id: string, revision: number): string {
  return `${id}.${revision}.removed`;
}

/** Sorts a directory's names; other files are not the store's. */
export function documentNames(names: readonly string[]): DocumentNames {
  const folded = new Map<string, string>();
  const files = names
    .filter((name) => !name.startsWith(".") && name.endsWith(extension))
    .map((file) => ({ file, id: file.slice(0, -extension.length) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ file, id }) => {
      const reason = idProblem(id);
      if (reason !== undefined)
        return { file, id: file, problem: `the name is not an id (${reason}): rename the file` };
      const earlier = folded.get(id.toLowerCase());
      if (earlier === undefined) {
        folded.set(id.toLowerCase(), id);
        return { file, id };
      }
      return { file, id, problem: `'${id}' and '${earlier}' differ only by case: rename one of the files` };
    });
  return { files, marks: names.flatMap(markOf) };
}

function markOf(file: string): RemovalMark[] {
  const [, id, revision] = markName.exec(file) ?? [];
  return id === undefined || revision === undefined ? [] : [{ file, id, revision: Number(revision) }];
}
