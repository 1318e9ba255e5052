/** The libraries whose code is in the package: their names, versions, licenses and hashes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Library {
  readonly name: string;
  readonly version: string;
  /** As its package.json states it, an SPDX expression. */
  readonly license: string;
  /** Its folder, an absolute path. */
  readonly folder: string;
  /** SHA-512 of its archive, in hexadecimal digits; undefined: package-lock.json has none. */
  readonly sha512: string | undefined;
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
}

/** `files`: paths of which those below a `node_modules` count. Throws an Error for a library that package-lock.json does not know. */
export function librariesOf(root: string, files: Iterable<string>): readonly Library[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const keys = new Set<string>();
  for (const file of files) {
    // A library may have libraries below it: the innermost one counts.
    const path = file.replaceAll("\\", "/");
    const found = /(?:designer\/)?node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path);
    if (found !== null) keys.add(found[0]);
  }
  const found = [...keys].map((key): Library => {
    const locked = packages[key];
    if (locked?.version === undefined) throw new Error(`package-lock.json does not know ${key}`);
    const [, hash] = /^sha512-(\S+)/.exec(locked.integrity ?? "") ?? [];
    return {
      name: key.slice(key.lastIndexOf("node_modules/") + "node_modules/".length),
      version: locked.version,
      license: locked.license ?? "UNKNOWN",
      folder: join(root, key),
      sha512: hash === undefined ? undefined : Buffer.from(hash, "base64").toString("hex"),
    };
  });
  // A version may be there twice, in two folders.
  const byId = new Map(found.map((library) => [`${library.name}@${library.version}`, library]));
  return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, library]) => library);
}
