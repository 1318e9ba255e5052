/** Folders of a test: deleted after it. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

/** Writes files into a new folder. `files`: texts by their paths below it. Returns its path. */
export function folderOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "bulkhead-folder-"));
  // A process that the test has killed may have children that still write.
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  writeFiles(folder, files);
  return folder;
}

/** Each file appears as a whole, as editors write them: nobody reads half of one. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const aside = join(folder, ".being-written");
    writeFileSync(aside, text);
    renameSync(aside, join(folder, path));
  }
}
