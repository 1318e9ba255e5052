/** The findings of a check about a flow's text. */

/** A place in a YAML document; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export type Severity = "error" | "warning";

export interface Diagnostic {
  readonly severity: Severity;
  /** Machine-readable kind: `yaml_syntax`, `unknown_step`, `not_yet`, `missing_option`, ... */
  readonly code: string;
  /** The fault and how to correct it, without the place. */
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  /** JSON Pointer (RFC 6901) into the document as written; "" is the whole. */
  readonly pointer: string;
  readonly routeId: string | null;
  readonly stepId: string | null;
}

/** Formats a diagnostic: `orders.yaml:7:11: unknown step 'lgo' (did you mean 'log'?)`. */
export function renderDiagnostic(file: string, { line, column, message }: Diagnostic): string {
  return line === null ? `${file}: ${message}` : `${file}:${line}:${column ?? 1}: ${message}`;
}
