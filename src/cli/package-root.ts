/** Where the files of the package are: its package.json, its examples. */
import { readFileSync } from "node:fs";

/** Beside the bundle's folder, or above the sources. */
export const packageRoot = new URL(import.meta.url.endsWith(".js") ? "../" : "../../", import.meta.url);

export function packageVersion(): string {
  const manifest = readFileSync(new URL("package.json", packageRoot), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
