/** The package.json that is published: what npm and programs read, and nothing that runs when it is installed. */
import { execFileSync } from "node:child_process";

export interface Checkout {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly files: readonly string[];
  readonly devEngines: { readonly runtime: { readonly version: string } };
  readonly [field: string]: unknown;
}

/** These are as in the checkout. */
const kept = ["name", "version", "description", "keywords", "license", "type", "bin", "exports"];

/**
 * Returns the text of the file. `root`: the checkout's folder, whose `origin` is the repository when it is a public address. `bundles`: the folder of
 * `dist` that is published; the checkout may have those of earlier builds.
 */
export function publishedManifest(checkout: Checkout, root: string, bundles: string): string {
  const fields = Object.fromEntries(kept.map((name) => [name, checkout[name]]));
  const repository = publicOrigin(root);
  const manifest = {
    ...fields,
    files: checkout.files.map((path) => path.replace("runtime-*", bundles)),
    ...(repository !== undefined && { repository: { type: "git", url: `git+${repository}` } }),
    engines: { node: checkout.devEngines.runtime.version },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function publicOrigin(root: string): string | undefined {
  try {
    const origin = execFileSync("git", ["remote", "get-url", "origin"], {
      ...{ cwd: root, encoding: "utf8" },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return /^https:\/\/(?:github\.com|gitlab\.com|codeberg\.org)\/[\w./-]+$/.test(origin) ? origin : undefined;
  } catch {
    // A copy of the files without git.
    return undefined;
  }
}
