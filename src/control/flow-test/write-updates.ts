/** Writes the results of tests into their file. */
import type { FileResult } from "./run-files.ts";
import { BadFile, readText, writeText } from "./text-files.ts";
import { updatedText } from "./yaml-update.ts";

/** Returns whether there was something to write. Throws BadFile. */
export function writeUpdates({ file, tests }: FileResult): boolean {
  const updates = tests.flatMap(({ test, got, updates: wanted }) =>
    wanted === true && got !== undefined ? [{ test, got }] : [],
  );
  if (updates.length === 0) return false;
  const text = updateText(file, updates);
  if (readText(file.path) !== file.source.text)
    throw new BadFile(`${file.path}: --update leaves it as it is: it was changed while its tests ran`);
  writeText(file.path, text);
  return true;
}

function updateText(...[file, updates]: Parameters<typeof updatedText>): string {
  try {
    return updatedText(file, updates);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadFile(`${file.path}: --update cannot write it: ${reason}`);
  }
}
