/** Collects the diagnostics of one check. */
import type { Diagnostic, Position, Severity } from "../../shared/diagnostic.ts";
import { shownSecrets } from "../../shared/secret-mark.ts";
import type { Where } from "./tree.ts";

/** The most diagnostics of each severity; further ones are only counted. */
const maxDiagnostics = 100;

/** The most bytes of a message, since a text may quote any length of itself. */
const longestMessage = 1024;

/** The route and the step of a problem, whose ids may be known only later. */
export interface Scope {
  readonly route?: { readonly id: string } | undefined;
  readonly step?: { readonly id: string } | undefined;
}

interface Found {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly where: Where | null;
  readonly scope: Scope;
}

export class Report {
  readonly #found: Found[] = [];
  readonly #spoilt = new Set<string>();
  readonly #said = new Set<string>();
  #errors = 0;
  #warnings = 0;

  get errors(): number {
    return this.#errors;
  }

  /** Ignores further problems of a scalar whose one problem has been reported. */
  spoil({ pointer }: Where): void {
    this.#spoilt.add(pointer);
  }

  error(code: string, message: string, where: Where | null, scope: Scope = {}): void {
    if (where !== null && this.#spoilt.has(where.pointer)) return;
    if (this.#again(code, message, where)) return;
    this.#errors += 1;
    if (this.#errors <= maxDiagnostics) this.#found.push({ severity: "error", code, message, where, scope });
  }

  warning(code: string, message: string, where: Where | null, scope: Scope = {}): void {
    if (this.#again(code, message, where)) return;
    this.#warnings += 1;
    if (this.#warnings <= maxDiagnostics) this.#found.push({ severity: "warning", code, message, where, scope });
  }

  /** Whether the same problem was reported before, since each use of a template repeats it. */
  #again(code: string, message: string, where: Where | null): boolean {
    const key = `${code}\n${where?.at.line}:${where?.at.column}\n${message}`;
    if (this.#said.has(key)) return true;
    if (this.#said.size < 2 * maxDiagnostics) this.#said.add(key);
    return false;
  }

  /** Returns the diagnostics in the order of the text; those without a place come last. */
  diagnostics(): Diagnostic[] {
    const sorted = [...this.#found].sort((a, b) => compare(a.where?.at, b.where?.at)).map(toDiagnostic);
    if (this.#errors > maxDiagnostics) {
      const more = `${this.#errors - maxDiagnostics} more problems are not listed: correct these first`;
      sorted.push(toDiagnostic({ severity: "error", code: "more_problems", message: more, where: null, scope: {} }));
    }
    return sorted;
  }
}

function compare(a: Position | undefined, b: Position | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0);
  return a.line - b.line || a.column - b.column;
}

function toDiagnostic({ severity, code, message, where, scope }: Found): Diagnostic {
  return {
    severity,
    code,
    message: shortened(shownSecrets(message)),
    line: where?.at.line ?? null,
    column: where?.at.column ?? null,
    endLine: where?.at.endLine ?? null,
    endColumn: where?.at.endColumn ?? null,
    pointer: where?.pointer ?? "",
    routeId: scope.route?.id || null,
    stepId: scope.step?.id || null,
  };
}

/** Cuts long words first, to keep the rest of the message; then its end. */
function shortened(message: string): string {
  if (3 * message.length <= longestMessage) return message;
  const text = message.replaceAll(/[^\s']{120,}/g, (word) => `${word.slice(0, 100).toWellFormed()}...`);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= longestMessage) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, longestMessage - 6), { stream: true })}...`;
}
