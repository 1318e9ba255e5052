/** Reads the companion file of a flow: YAML 1.2 whose scalars have their types, checked by the schema, each problem with its place. */
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { CompanionProblem, CompanionResult } from "../../shared/companion.ts";
import { companionSchema } from "../../shared/document-options.ts";

const mostAliases = 50;
const mostProblems = 20;

export function readCompanion(text: string): CompanionResult {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    ...{ version: "1.2", schema: "core", uniqueKeys: true, prettyErrors: false, logLevel: "error" },
    ...{ intAsBigInt: true, lineCounter: lines },
  });
  const at = (offset: number, message: string): CompanionProblem => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  const errors = document.errors.slice(0, mostProblems);
  if (errors.length > 0) return { problems: errors.map(({ pos, message }) => at(pos[0], message)) };
  let value: unknown;
  try {
    value = withNumbers(document.toJS({ maxAliasCount: mostAliases }));
  } catch (error) {
    return { problems: [at(0, error instanceof Error ? error.message : String(error))] };
  }
  const read = companionSchema.safeParse(value, { error: messageOf });
  if (read.success) return { value };
  const problems = read.error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => at(offsetOf(document, [key]), `there is no option '${key}'; there are ${known}`));
    const subject = issue.path.length === 0 ? "the file" : `'${issue.path.join("/")}'`;
    return [at(offsetOf(document, issue.path), `${subject} ${issue.message}`)];
  });
  return { problems: problems.slice(0, mostProblems) };
}

const known = Object.keys(companionSchema.shape).join(", ");

function messageOf({ code }: { readonly code?: string }): string {
  return code === "invalid_type" ? "must be an object of the flow's options" : "is not valid";
}

/** Of the value at the path, or of the closest one around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Whole numbers up to 2^53 become numbers; longer ones keep every digit. */
function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withNumbers(one)]));
}
