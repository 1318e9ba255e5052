/** `npm run bench -- http 5 4` runs bench/http.bench.ts with the arguments `5 4`; without a name it lists them. */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const names = globSync("bench/*.bench.ts", { cwd: root })
  .map((file) => basename(file, ".bench.ts"))
  .sort();
const [name = "", ...args] = process.argv.slice(2);

if (names.includes(name)) {
  const { status } = spawnSync(process.execPath, [`bench/${name}.bench.ts`, ...args], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  console.error(`${name === "" ? "which one" : `there is no '${name}'`}: npm run bench -- <${names.join(" | ")}>`);
  process.exitCode = 1;
}
