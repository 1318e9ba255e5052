/** The lines that a change touches, from git: what the working tree has and the base has not. */
import { execFileSync } from "node:child_process";
import { countsFile } from "./counts.ts";

/** By file: numbers of lines, or all of them. */
export type TouchedLines = ReadonlyMap<string, ReadonlySet<number> | "all">;

/**
 * The revision that a change is compared with: where it left origin/main. In a clone that is not ahead of it, the commit that
 * last recorded counts. Undefined outside of git.
 */
export function defaultBase(root: string): string | undefined {
  const head = tryGit(root, "rev-parse", "HEAD");
  const common = tryGit(root, "merge-base", "HEAD", "origin/main");
  if (common !== undefined && common !== head) return common;
  return tryGit(root, "log", "-1", "--format=%H", "--", countsFile) || undefined;
}

export function touchedLines(root: string, base: string): TouchedLines {
  const diff = git(
    root,
    "diff",
    "--unified=0",
    "--find-renames",
    "--no-color",
    "--no-ext-diff",
    "--relative",
    base,
    "--",
  );
  const touched = new Map<string, Set<number> | "all">(linesOf(diff));
  const untracked = git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0");
  for (const file of untracked) if (file !== "") touched.set(file, "all");
  return touched;
}

/** A line that the change takes away in one place and adds in another has moved: it is not touched. */
function linesOf(diff: string): Map<string, Set<number>> {
  const removed = countLines([...diff.matchAll(/^-(?!-- )(.*)$/gm)].map(([, text = ""]) => text.trim()));
  const hasMoved = (text: string): boolean => {
    const left = removed.get(text) ?? 0;
    removed.set(text, left - 1);
    return left > 0;
  };
  const touched = new Map<string, Set<number>>();
  for (const part of diff.split(/^diff --git /m)) {
    const file = /^\+\+\+ b\/(.*)$/m.exec(part)?.[1];
    if (file === undefined) continue;
    const lines = new Set<number>();
    for (const [, first, hunk = ""] of part.matchAll(/^@@ \S+ \+(\d+).*\n((?:[-+\\].*\n?)*)/gm)) {
      const added = hunk.split("\n").filter((line) => line.startsWith("+"));
      for (const [index, line] of added.entries())
        if (!hasMoved(line.slice(1).trim())) lines.add(Number(first) + index);
    }
    touched.set(file, lines);
  }
  return touched;
}

function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function git(root: string, ...words: string[]): string {
  return execFileSync("git", ["-c", "core.quotePath=false", ...words], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function tryGit(root: string, ...words: string[]): string | undefined {
  try {
    return git(root, ...words).trim();
  } catch {
    return undefined;
  }
}
