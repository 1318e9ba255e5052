/**
 * npm packs the package.json that lies in the folder. So `npm pack` sets the checkout's aside while the published one is there, and puts it back.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const aside = "package.checkout.json";
/** What is in the package, and not in the checkout. */
const made = ["NOTICE", "sbom.cdx.json"];

/** `files`: texts by their names, which are removed again. */
export function setAside(
  root: string,
  manifest: string,
  files: Readonly<Record<"NOTICE" | "sbom.cdx.json", string>>,
): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  renameSync(join(root, "package.json"), join(root, aside));
  writeFileSync(join(root, "package.json"), manifest);
}

/** Does nothing when the checkout is as it should be. */
export function restore(root: string): void {
  const path = join(root, "package.json");
  if (existsSync(join(root, aside))) {
    // Somebody may have put it back already. The published one has no such field, and may be cut off.
    if (existsSync(path) && /"private": *true/.test(readFileSync(path, "utf8"))) rmSync(join(root, aside));
    else renameSync(join(root, aside), path);
  }
  for (const name of made) rmSync(join(root, name), { force: true });
}

/** Starts a process that restores the checkout when npm and this process have ended, however they end: npm runs no script when it is killed. */
export function restoreAfter(npm: number): void {
  const script = fileURLToPath(new URL("restore.ts", import.meta.url));
  spawn(process.execPath, [script, String(npm), String(process.pid)], { detached: true, stdio: "ignore" }).unref();
}
