/** The files whose texts people read. Tests are left out, and so is what is generated from the others. */
import { globSync } from "node:fs";

const patterns = [
  "README.md",
  "CHANGELOG.md",
  "docs/**/*.md",
  "templates/*/docs/**/*.md",
  "{examples,routes/samples}/**/*.flow.yaml",
  "{scripts,src,templates/*/src,designer/server,designer/shared,designer/web/src}/**/*.{ts,tsx}",
];
/** The rules quote bad prose. */
const generatedOrQuoted = /^(?:src\/client\/openapi\.ts|scripts\/prose\/rules\/.*)$/;

/** Paths from `root` on, with slashes, sorted. */
export function sourceFiles(root: string): string[] {
  const files = globSync(patterns, { cwd: root, exclude: ["**/node_modules/**"] });
  return files
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !generatedOrQuoted.test(file))
    .sort();
}
