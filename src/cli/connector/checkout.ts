/** A checkout of the sources, as connectors are written in. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "../errors.ts";

/** Below a checkout: a whole connector, whose files stand as they will stand below the checkout itself. */
export const templateFolder = "templates/connector";

/** Returns the path of the checkout that the folder is in. Throws UsageError when it is in none. */
export function checkoutOf(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (isCheckout(at)) return at;
    if (at === dirname(at)) break;
  }
  throw new UsageError(
    `${resolve(folder)} is not in a checkout of Bulkhead's sources, in which connectors are written: clone the repository, and name its folder with --in`,
  );
}

/** A package that was installed has no sources. */
function isCheckout(folder: string): boolean {
  return nameOf(join(folder, "package.json")) === "bulkhead" && existsSync(join(folder, templateFolder, "src"));
}

function nameOf(manifest: string): unknown {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly name?: unknown }).name;
  } catch {
    return undefined;
  }
}
