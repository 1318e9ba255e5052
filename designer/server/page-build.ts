/** Builds the page when it is missing or older than its sources: designer/web -> designer/dist. */
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Rolldown } from "vite";

/** What the page is made of, from the designer's folder. */
const sources = ["web", "shared", "../src/client", "vite.config.ts", "package.json"];
/** Smaller files gain nothing. */
const worthBytes = 1024;

/** @param root the designer's folder. Returns whether it was built. */
export async function buildPage(root: string): Promise<boolean> {
  const directory = join(root, "dist");
  const built = statSync(join(directory, "index.html"), { throwIfNoEntry: false })?.mtimeMs;
  if (built !== undefined && built >= newestOf(root)) return false;
  await makePage(root, directory);
  return true;
}

/** Builds the page into a directory, compressed beside what is not. Returns the ids of the modules in it, which are paths for most. */
export async function makePage(root: string, directory: string): Promise<readonly string[]> {
  const { build } = await import("vite");
  const options = { configFile: resolve(root, "vite.config.ts"), logLevel: "warn" } as const;
  const made = (await build({ ...options, build: { outDir: directory } })) as Rolldown.RolldownOutput;
  for (const file of globSync("**/*.{js,css,html,svg}", { cwd: directory })) {
    const path = join(directory, file);
    const content = readFileSync(path);
    if (content.length < worthBytes) continue;
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
  return made.output.flatMap((part) => (part.type === "chunk" ? Object.keys(part.modules) : []));
}

function newestOf(root: string): number {
  const files = sources.flatMap((source) => [source, ...globSync(`${source}/**`, { cwd: root })]);
  return Math.max(0, ...files.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0));
}
