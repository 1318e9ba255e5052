/** Shells of Debian's packages, for the tests of completion. */
import { program } from "../server-process.ts";

/** Throws Unavailable. */
export function installShell(name: "zsh" | "fish"): void {
  program(`/usr/bin/${name}`, [name]);
}
