/** `npm run bench -- http 5 4` runs bench/http.bench.ts with the arguments `5 4`; without a name it lists them. The same for storms. */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const folders: Readonly<Record<string, string>> = { bench: "bench", storm: "test/storms" };
const [kind = "", name = "", ...args] = process.argv.slice(2);
const folder = folders[kind] as string;
const names = globSync(`${folder}/*.${kind}.ts`, { cwd: root })
  .map((file) => basename(file, `.${kind}.ts`))
  .sort();

if (names.includes(name)) {
  const file = `${folder}/${name}.${kind}.ts`;
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  console.error(`${name === "" ? "which one" : `there is no '${name}'`}: npm run ${kind} -- <${names.join(" | ")}>`);
  process.exitCode = 1;
}
