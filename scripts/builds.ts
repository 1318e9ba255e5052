/**
 * Where builds of the bundles lie: `dist/runtime-<hash of its content>/`, and `dist/current` names the build that a start runs. A runtime loads
 * parts of its code when it first needs them. So a build changes no file of an earlier build, and the earlier builds stay for a while.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** How many builds stay, the current one included. Each takes 17 MB. */
const kept = 5;

/** What else is in `dist/`: the client, which programs elsewhere bundle, and the designer of the package. */
const others = new Set(["client", "designer", "current"]);

/** Makes a folder of bundles the current build: moves it to its name, and removes the oldest builds. Resolves with the name. */
export async function keepBuild(building: string, dist: string): Promise<string> {
  const name = `runtime-${await hashOf(building)}`;
  const folder = join(dist, name);
  const present = await stat(folder).catch(() => undefined);
  if (present === undefined) await rename(building, folder);
  else await rm(building, { recursive: true });
  const now = new Date();
  await utimes(folder, now, now);
  // A start reads the whole name or the one before.
  await writeFile(join(dist, "current.new"), `${name}\n`);
  await rename(join(dist, "current.new"), join(dist, "current"));
  await removeOld(dist);
  return name;
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) {
    const content = await readFile(path);
    hash.update(`${path.slice(folder.length)} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 12);
}

async function removeOld(dist: string): Promise<void> {
  const names = (await readdir(dist)).filter((name) => !others.has(name));
  const builds = names.filter((name) => name.startsWith("runtime-"));
  const dated = await Promise.all(builds.map(async (name) => ({ name, made: (await stat(join(dist, name))).mtimeMs })));
  const newest = dated.sort((a, b) => b.made - a.made).slice(0, kept);
  const stay = new Set(newest.map(({ name }) => name));
  for (const name of names) if (!stay.has(name)) await rm(join(dist, name), { recursive: true, force: true });
}
