/** What git knows of the checkout. */
import { execFileSync } from "node:child_process";
import { resultsFolder, root } from "./result.ts";

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

export function head(): string {
  return git("rev-parse", "HEAD");
}

/** Throws an Error when there is no such commit. */
export function commitOf(revision: string): string {
  return git("rev-parse", "--verify", `${revision}^{commit}`);
}

/** How many commits lie between; undefined: this history does not have the commit. */
export function commitsSince(commit: string): number | undefined {
  try {
    git("merge-base", "--is-ancestor", commit, "HEAD");
    return Number(git("rev-list", "--count", `${commit}..HEAD`));
  } catch {
    return undefined;
  }
}

/** Files that differ from a commit in the work tree, those that are not committed included; results of trials are left out. */
export function changedSince(commit: string): readonly string[] {
  const tracked = linesOf(git("diff", "--name-only", "--no-renames", commit));
  const fresh = linesOf(git("ls-files", "--others", "--exclude-standard"));
  return [...tracked, ...fresh].filter((file) => !file.startsWith(`${resultsFolder}/`));
}

/** Whether the work tree differs from HEAD by more than results of trials. */
export function isDirty(): boolean {
  return changedSince("HEAD").length > 0;
}

/** The text of a file at a commit; "": it did not have it. */
export function textAt(commit: string, file: string): string {
  try {
    return git("show", `${commit}:${file}`);
  } catch {
    return "";
  }
}
