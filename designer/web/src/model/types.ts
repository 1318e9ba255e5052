/** What the parts of the model share. The YAML text is the only state: an edit is a list of changes of it. */
import type { Document, ParsedNode } from "yaml";

/** A replacement of text; offsets are of the text before all changes of a list, as in CodeMirror. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Keys and indexes from the root of the document, with keys as they are written. */
export type Path = readonly (string | number)[];

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface TextError extends Range {
  readonly message: string;
}

export type YamlDocument = Document.Parsed<ParsedNode>;

export interface FlowText {
  readonly text: string;
  /** Edits reach the first document only. */
  readonly documents: readonly YamlDocument[];
  /** Syntax errors in the order of the text. Nothing can be edited while there are any. */
  readonly errors: readonly TextError[];
  /** What ends a line of this text. */
  readonly newline: "\n" | "\r\n";
}
