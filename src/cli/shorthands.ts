/** Finds what flows write in a short form, which Camel 4.23 deprecates. */
import type { NormalizeResult } from "../shared/canonical.ts";
import { CheckThread } from "./check-thread.ts";
import type { FlowText } from "./flow-texts.ts";
import type { Finding } from "./offline-check.ts";

export interface Normalized extends FlowText {
  readonly result: NormalizeResult;
}

export async function normalizeTexts(texts: readonly FlowText[]): Promise<readonly Normalized[]> {
  const thread = new CheckThread();
  const normalized: Normalized[] = [];
  try {
    for (const text of texts) normalized.push({ ...text, result: await thread.run("normalize", text.text) });
  } finally {
    await thread.close();
  }
  return normalized;
}

/** Returns a warning for each short form, and an error for a text that cannot be read. */
export function shorthandsIn({ path, result }: Normalized): readonly Finding[] {
  if ("problem" in result) return [findingOf(path, "error", "yaml_syntax", result.problem)];
  return result.places.map((place) => findingOf(path, "warning", "shorthand", place));
}

function findingOf(
  file: string,
  severity: Finding["severity"],
  code: string,
  { line, column, message, endColumn }: { line: number; column: number; message: string; endColumn?: number },
): Finding {
  const end = endColumn === undefined ? { endLine: null, endColumn: null } : { endLine: line, endColumn };
  return { file, severity, code, message, line, column, ...end, routeId: null, stepId: null, pointer: "" };
}
