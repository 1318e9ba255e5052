/** The package as `npm pack` writes it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCheckout } from "./checkout.ts";
import { startProgram } from "./command-line.ts";
import { patientVariables } from "./patience.ts";

let packing: Promise<string> | undefined;

/** Resolves with the archive's path. Packs once for all tests of a process, a copy of the checkout: `npm pack` changes package.json for a time. */
export function packed(): Promise<string> {
  packing ??= packOnce();
  return packing;
}

async function packOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "bulkhead-packed-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  copyCheckout(folder);
  const stdout = await succeed(["npm", "pack", "--json"], folder);
  // What scripts print stands before it.
  const [{ filename = "" } = {}] = JSON.parse(stdout.slice(stdout.lastIndexOf("\n[\n") + 1)) as { filename: string }[];
  return join(folder, filename);
}

/** Runs a program with the Node.js of this process. Resolves with its standard output. Rejects with its output when it fails. */
export async function succeed(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = userEnvironment(),
): Promise<string> {
  const { code, stdout, stderr } = await startProgram(command, env, { cwd }).ended;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}

/** The variables of a person at a terminal: nothing of npm or of the test runner, and patience. `nodeFolder`: where the Node.js is that they use. */
export function userEnvironment(nodeFolder = join(process.execPath, "..")): Record<string, string> {
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(?:npm_(?!config_registry$)|NODE_(?!EXTRA_CA_CERTS$)|BULKHEAD_)/i.test(entry[0]),
  );
  return { ...Object.fromEntries(own), ...patientVariables, PATH: `${nodeFolder}:${process.env["PATH"] ?? ""}` };
}
