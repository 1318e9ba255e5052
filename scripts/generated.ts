/** A file that is generated: written, or with `--check` only compared with what is there. */
import { readFileSync, writeFileSync } from "node:fs";

/** `path`: from the project's directory on. */
export function generated(path: string, text: string): void {
  const file = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (current(file) !== text) {
    console.error(`${path} is out of date: run \`npm run docs\``);
    process.exitCode = 1;
  }
}

function current(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
