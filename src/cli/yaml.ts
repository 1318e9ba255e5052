/** YAML and JSON files of the command line; flows are read by the checker. */
import { parseDocument, stringify } from "yaml";
import { UsageError } from "./errors.ts";

/** Throws UsageError with the place. `file`: its name, for the error. */
export function parseYamlFile(text: string, file: string): unknown {
  const document = parseDocument(text, { version: "1.2", prettyErrors: true, maxAliasCount: 0 } as object);
  const [problem] = document.errors;
  if (problem !== undefined) throw new UsageError(`${file}: ${problem.message}`);
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Shows a document as YAML; texts of several lines stand as blocks. */
export function stringifyYaml(document: unknown): string {
  return stringify(document, { lineWidth: 0 }).trimEnd();
}
