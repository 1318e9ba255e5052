/** Where the files of the package are: its package.json, its examples. */
import { readFileSync } from "node:fs";

/** Bundles lie in dist/, but for the designer's, which is in dist/designer/ and has this module, too; this source is in src/cli/. */
const isOneBelow = /\/dist\/[^/]+\.js$/.test(import.meta.url);

export const packageRoot = new URL(isOneBelow ? "../" : "../../", import.meta.url);

export function packageVersion(): string {
  const manifest = readFileSync(new URL("package.json", packageRoot), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
