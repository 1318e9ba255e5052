/** Writes values as YAML: the only text of the library's writer that reaches a flow. */
import { Document, isScalar, type Node, type Scalar, visit } from "yaml";

/** A value under a key or behind a dash: what follows on the same line, and the lines below at the column of that key. */
export interface Dumped {
  readonly first: string;
  readonly rest: readonly string[];
}

const options = { lineWidth: 0, flowCollectionPadding: true } as const;

/** Writes a value under a key; scalars keep the quotes of `like`. */
export function dumpUnder(value: unknown, like?: Scalar): Dumped {
  return cut(blockText({ k: value }, like), 2);
}

/** Writes an item of a list. */
export function dumpItem(value: unknown): Dumped {
  return cut(blockText([value]), 1);
}

/** Writes a pair in block style. */
export function dumpPair(key: string, value: unknown): string[] {
  return blockText({ [key]: value }).split("\n");
}

/** Writes a value for a place inside of braces or brackets, on one line. */
export function dumpFlow(value: unknown, like?: Scalar): string {
  return flowText([value], like).slice(1, -1).trim();
}

/** Writes a pair for a place inside of braces. */
export function dumpFlowPair(key: string, value: unknown): string {
  return flowText({ [key]: value })
    .slice(1, -1)
    .trim();
}

function blockText(value: unknown, like?: Scalar): string {
  const document = documentOf(value, like);
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && /\n\n$|^\n*$|^\s*\n/.test(scalar.value)) {
        // A block whose end or begin is empty lines would run into what stands around it.
        scalar.type = scalar.value === "" ? (scalar.type ?? "PLAIN") : "QUOTE_DOUBLE";
      }
    },
  });
  return document.toString(options).replace(/\n$/, "");
}

function flowText(value: unknown, like?: Scalar): string {
  const document = documentOf(value, like);
  visit(document, {
    Collection(_, node) {
      node.flow = true;
    },
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && scalar.value.includes("\n")) scalar.type = "QUOTE_DOUBLE";
      else if (scalar.type?.startsWith("BLOCK") === true) delete scalar.type;
    },
  });
  // Only a text over several lines would bring newlines, and there is none.
  return document.toString({ ...options, doubleQuotedMinMultiLineLength: 1_000_000_000 }).trim();
}

function documentOf(value: unknown, like: Scalar | undefined): Document {
  // Words that YAML 1.1 reads as something else than text are quoted, for other readers of the file.
  const document = new Document(value, { version: "1.2", compat: "yaml-1.1", aliasDuplicateObjects: false });
  const inner = (document.contents as { items?: readonly (Node | { value: Node })[] }).items?.[0];
  const scalar = inner !== undefined && "value" in inner && !isScalar(inner) ? inner.value : inner;
  if (like?.type !== undefined && isScalar(scalar) && typeof scalar.value === "string") scalar.type = like.type;
  return document;
}

function cut(text: string, width: number): Dumped {
  const [first = "", ...rest] = text.split("\n");
  return { first: first.slice(width), rest };
}
