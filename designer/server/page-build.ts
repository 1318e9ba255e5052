/** Builds the page when it is missing or older than its sources: designer/web -> designer/dist. */
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** What the page is made of, from the designer's folder. */
const sources = ["web", "shared", "../src/client", "vite.config.ts", "package.json"];
/** Smaller files gain nothing. */
const worthBytes = 1024;

/** @param root the designer's folder. Returns whether it was built. */
export async function buildPage(root: string): Promise<boolean> {
  const built = statSync(join(root, "dist", "index.html"), { throwIfNoEntry: false })?.mtimeMs;
  if (built !== undefined && built >= newestOf(root)) return false;
  const { build } = await import("vite");
  await build({ configFile: resolve(root, "vite.config.ts"), logLevel: "warn" });
  for (const file of globSync("dist/**/*.{js,css,html,svg}", { cwd: root })) {
    const content = readFileSync(join(root, file));
    if (content.length < worthBytes) continue;
    writeFileSync(join(root, `${file}.br`), brotliCompressSync(content));
    writeFileSync(join(root, `${file}.gz`), gzipSync(content, { level: 9 }));
  }
  return true;
}

function newestOf(root: string): number {
  const files = sources.flatMap((source) => [source, ...globSync(`${source}/**`, { cwd: root })]);
  return Math.max(0, ...files.map((file) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0));
}
