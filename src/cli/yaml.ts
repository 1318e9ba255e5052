/** YAML and JSON files of the command line; flows are read by the checker. */
import { isNode, LineCounter, parseDocument, stringify } from "yaml";
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

/** Where the value at the path begins, both from 1; undefined: nothing is there. */
export function placeInYaml(
  text: string,
  path: readonly string[],
): { readonly line: number; readonly column: number } | undefined {
  const lineCounter = new LineCounter();
  const node = parseDocument(text, { version: "1.2", logLevel: "error", lineCounter }).getIn(path, true);
  if (!isNode(node) || node.range === undefined || node.range === null) return undefined;
  const { line, col } = lineCounter.linePos(node.range[0]);
  return { line, column: col };
}

/** Shows a document as YAML; texts of several lines stand as blocks. */
export function stringifyYaml(document: unknown): string {
  return stringify(document, { lineWidth: 0 }).trimEnd();
}
