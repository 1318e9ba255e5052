/** Where paths lead after a step has been moved. */
import type { Path } from "../../model/index.ts";

/** The path of a part after another step was taken out; the part is not inside of it. */
export function afterRemoval(path: Path, removed: Path): Path {
  return shifted(path, removed.slice(0, -1), Number(removed.at(-1)) + 1, -1);
}

/** The path of a part after a step was put into a list. */
export function afterInsertion(path: Path, list: Path, index: number): Path {
  return shifted(path, list, index, 1);
}

function shifted(path: Path, list: Path, first: number, by: number): Path {
  const at = path[list.length];
  if (typeof at !== "number" || at < first || !begins(path, list)) return path;
  return [...list, at + by, ...path.slice(list.length + 1)];
}

export function begins(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((key, at) => key === path[at]);
}

export interface Place {
  readonly stepsPath: Path;
  readonly index: number;
}

/** Where a step is after `moveStep` has moved it before the step at `to`, as both were counted before. */
export function afterMove(from: Path, { stepsPath, index }: Place): Place {
  const own = from.length === stepsPath.length + 1 && begins(from, stepsPath);
  const behind = own && Number(from.at(-1)) < index;
  return { stepsPath: afterRemoval(stepsPath, from), index: behind ? index - 1 : index };
}
