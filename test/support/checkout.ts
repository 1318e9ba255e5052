/** Copies of this checkout, in which programs may make and change files while other tests run. */
import { cpSync, existsSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** What is not part of a checkout, or is linked to. */
const others = /^(?:\.git|coverage|data|dist|node_modules|designer\/(?:dist|node_modules))$/;

/** Copies the files into an empty folder. The libraries are links to those of this checkout. */
export function copyCheckout(folder: string): void {
  cpSync(root, folder, { recursive: true, filter: (path) => !others.test(relative(root, path)) });
  linkLibraries(folder);
}

/** Makes links to the libraries of this checkout. */
export function linkLibraries(folder: string): void {
  for (const modules of ["node_modules", "designer/node_modules"])
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(folder, modules));
}
