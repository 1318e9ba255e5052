/** The types of `bulkhead/client`, which need no other package: those of the libraries that they name lie beside them. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const require = createRequire(import.meta.url);
const typed = ["openapi-fetch", "openapi-typescript-helpers"];

/** Writes `<outdir>/client/*.d.ts`, with `<outdir>` the one of tsconfig.client.json. Returns the files of libraries that it has copied. */
export function packClientTypes(outdir: string): readonly string[] {
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.client.json"], {
    cwd: root,
    stdio: "inherit",
  });
  const folder = join(outdir, "client");
  const copied = typed.map((name) => join(dirname(require.resolve(name)), "index.d.ts"));
  for (const [at, path] of copied.entries()) writeFileSync(join(folder, `${typed[at]}.d.ts`), readFileSync(path));
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".d.ts"))) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/ from (["'])(openapi-(?:fetch|typescript-helpers))\1/g, ' from "./$2.js"'));
  }
  return copied;
}
