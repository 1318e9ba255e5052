/** Shells of Debian's packages, for the tests of completion. */
import { program } from "../server-process.ts";

/** Resolves when it is installed. Throws Unavailable. */
export async function installShell(name: "zsh" | "fish"): Promise<{ close(): Promise<void> }> {
  program(`/usr/bin/${name}`, [name]);
  return { close: async () => {} };
}
