/** Messages that flows are tried with: `.designer/examples/<id>.json` in the workspace. */
import { join } from "node:path";
import type { Example } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";
import { readFile, removeFile, replaceFile } from "./durable.ts";
import type { Workspace } from "./workspace.ts";

/** Throws Refused: 404 for a flow that is not there, 422 for a file that is not as it was written. */
export async function readExamples(workspace: Workspace, id: string): Promise<readonly Example[]> {
  const path = await pathOf(workspace, id);
  const bytes = await readFile(path, limits.fileBytes);
  if (bytes === undefined) return [];
  try {
    const { examples } = JSON.parse(bytes.toString()) as { readonly examples: readonly Example[] };
    if (Array.isArray(examples)) return examples;
  } catch {
    // Reported below.
  }
  throw new Refused(422, `.designer/examples/${id}.json has no list 'examples': mend the file, or delete it`);
}

/** An empty list removes the file. Throws Refused. */
export async function writeExamples(workspace: Workspace, id: string, examples: readonly Example[]): Promise<void> {
  const path = await pathOf(workspace, id);
  const text = `${JSON.stringify({ examples }, null, 2)}\n`;
  if (Buffer.byteLength(text) > limits.fileBytes)
    throw new Refused(413, `the examples of '${id}' have more than ${limits.fileBytes} bytes: delete some of them`);
  if (examples.length === 0) await removeFile(path);
  else await replaceFile(path, text);
}

async function pathOf(workspace: Workspace, id: string): Promise<string> {
  await workspace.read(id);
  return join(workspace.directory, ".designer", "examples", `${id}.json`);
}
