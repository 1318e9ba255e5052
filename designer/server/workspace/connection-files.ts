/**
 * Connections of the workspace, `documents/connections/<name>.json` beside the flows, where `bulkhead deploy` finds them. They have no
 * secrets: these are named. A runtime has the ones that are in force.
 */
import { promises as fs } from "node:fs";
import { join } from "node:path";
import type { ConnectionDocument } from "../../shared/connection-document.ts";
import { flowIdProblem } from "../../shared/ids.ts";
import { limits } from "../limits.ts";
import { codeOf, Refused } from "../refused.ts";
import { readText, resolveIn } from "./text-files.ts";

const folder = "documents/connections";

/** In alphabetical order; files whose names are no names of connections are left out. Throws Refused. */
export async function listConnections(directory: string): Promise<readonly ConnectionDocument[]> {
  const names = await fs.readdir(join(directory, folder)).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  const files = names.filter((name) => /\.json$/.test(name) && flowIdProblem(name.slice(0, -5)) === undefined).sort();
  if (files.length > limits.connectionFiles)
    throw new Refused(
      422,
      `the workspace has ${files.length} connections, and at most ${limits.connectionFiles} are read`,
    );
  const found: ConnectionDocument[] = [];
  for (const file of files) found.push({ name: file.slice(0, -5), ...(await read(directory, `${folder}/${file}`)) });
  return found;
}

async function read(directory: string, path: string): Promise<Omit<ConnectionDocument, "name">> {
  try {
    const file = await readText(await resolveIn(directory, path), path, limits.fileBytes);
    const document: unknown = JSON.parse(file?.text ?? "null");
    if (typeof document === "object" && document !== null && !Array.isArray(document))
      return { document: document as Readonly<Record<string, unknown>> };
  } catch (error) {
    if (error instanceof Refused) return { document: null, problem: error.message };
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { document: null, problem: `'${path}' is no JSON object: mend it` };
}
